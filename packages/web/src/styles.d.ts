/** The bundler puts each into a file of its own, loaded with what it is for. */
declare module "*.css";
