/** Anything that was parsed from JSON or YAML. Tests assert on it, so it needs no type. */
export type Json = ReturnType<typeof JSON.parse>;
