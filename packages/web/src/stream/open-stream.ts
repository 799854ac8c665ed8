import { ApiError } from "../api.ts";

/** A refusal ends the reading where asking again would not help; a lost line is tried again. */
export async function openStream(opening: Promise<Response>): Promise<Response> {
  try {
    return await opening;
  } catch (error) {
    const isFinal = error instanceof ApiError && (error.status === 404 || error.status === 401);
    if (isFinal) return new Response(null, { status: 404 });
    throw error;
  }
}
