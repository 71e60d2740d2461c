// Checks a JSON or YAML document against a JSON schema.
import { Ajv } from 'ajv';
import { parse } from 'yaml';

/** What does not hold, one line each; empty when the document satisfies the schema. Unreadable text or schema is a failure too. */
export const schemaFailures = (schema: Readonly<Record<string, unknown>>, text: string): string[] => {
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
