// Port: secrets that people may name, each for the server it is shown to. What is read is handed to whoever needs it and never logged.

export interface Secrets {
  /** The text of the secret that is kept under this name for this server (`git.example.org`, with the port if it is not 443). @throws HcaFault HcaNotFound */
  read(name: string, server: string): Promise<string>;
}
