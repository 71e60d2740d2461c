// Port: secrets by name: the key of a sandbox, credentials of a git server. What is read is handed to whoever needs it and never logged.

export interface Secrets {
  /** The secret's text. @throws HcaFault HcaNotFound naming the secret, HcaUnavailable, HcaThrottled */
  read(name: string): Promise<string>;
}
