import type { DailySpending, SpendingMethods } from "../spending-methods.ts";
import { at, type PostgresContext } from "./rows.ts";

/** A turn whose conversation is deleted has no model. */
type SpendingRow = Omit<DailySpending, "model" | "level"> &
  Record<"model" | "level", string | null>;

export const postgresSpending = ({ driver }: PostgresContext): SpendingMethods => ({
  async sumSpending(userId, since) {
    const { rows } = await driver.query(
      `select count(*)::int as turns, coalesce(sum(tokens), 0)::float8 as tokens,
        coalesce(sum(cost), 0)::float8 as cost
      from (
        select tokens, cost from turns
        where user_id = $1 and copy_of is null and started_at >= ${at("$2")}
        union all
        select tokens, cost from deleted_turns
        where user_id = $1 and started_at >= ${at("$2")}
      ) as begun`,
      [userId, since],
    );
    const { turns, tokens, cost } = rows[0] as Record<"turns" | "tokens" | "cost", number>;
    return { turns, tokens, cost };
  },

  async listSpending(userId, since, minutesEast) {
    const { rows } = await driver.query(
      `select to_char(started_at at time zone 'UTC' + $3::int * interval '1 minute',
          'YYYY-MM-DD') as day, model, level, count(*)::int as turns,
        coalesce(sum(tokens), 0)::float8 as tokens,
        coalesce(sum(thinking), 0)::float8 as thinking, coalesce(sum(cost), 0)::float8 as cost
      from (
        select started_at, info->>'model' as model, info->>'level' as level, tokens, cost,
          (usage->>'thinking')::float8 as thinking
        from turns where user_id = $1 and copy_of is null and started_at >= ${at("$2")}
        union all
        select started_at, null, null, tokens, cost, null from deleted_turns
        where user_id = $1 and started_at >= ${at("$2")}
      ) as begun
      group by 1, 2, 3 order by 1 desc, 7 desc`,
      [userId, since, minutesEast],
    );
    return (rows as readonly SpendingRow[]).map(({ model, level, ...sums }) => ({
      ...sums,
      ...(model !== null && { model }),
      ...(level !== null && { level }),
    }));
  },
});
