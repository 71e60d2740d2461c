// Checks a JSON or YAML document against a JSON schema. The libraries are loaded with the first schema: most criteria are commands.

/** What does not hold, one line each; empty when the document satisfies the schema. Unreadable text or schema is a failure too. */
export type SchemaFailures = (schema: Readonly<Record<string, unknown>>, text: string) => string[];

/** Loads what checks; the check itself waits for nothing, so that it can be bounded in time. */
export const schemaChecker = async (): Promise<SchemaFailures> => {
  const [{ Ajv }, { parse }] = await Promise.all([import('ajv'), import('yaml')]);
  return (schema, text) => {
    try {
      const ajv = new Ajv({ allErrors: true, strict: false });
      const validate = ajv.compile(schema);
      if (validate(parse(text))) return [];
      return (validate.errors ?? []).map((error) =>
        `${error.instancePath || '/'} ${error.message ?? 'is wrong'}`.slice(0, 300),
      );
    } catch (error) {
      return [`it cannot be checked: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300)];
    }
  };
};
