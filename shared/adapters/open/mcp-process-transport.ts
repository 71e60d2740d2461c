// MCP over the pipes of a process inside a session: newline-delimited JSON-RPC, as the stdio transport of the protocol.
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import type { SessionProcess } from '#shared/ports/sandbox.ts';

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #process: SessionProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #buffer = new ReadBuffer();

  constructor(process: SessionProcess) {
    this.#process = process;
    this.#writer = process.stdin.getWriter();
  }

  async start(): Promise<void> {
    const quiet = (): void => undefined;
    this.#receive().catch((error: unknown) =>
      this.onerror?.(error instanceof Error ? error : new Error(String(error))),
    );
    this.#process.stderr.pipeTo(new WritableStream()).catch(quiet);
    this.#process.exited.then(() => this.onclose?.()).catch(quiet);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(serializeMessage(message)));
  }

  async close(): Promise<void> {
    this.#process.kill();
    await this.#process.exited;
  }

  async #receive(): Promise<void> {
    for await (const chunk of this.#process.stdout) {
      this.#buffer.append(Buffer.from(chunk));
      for (let message = this.#next(); message !== null; message = this.#next()) this.onmessage?.(message);
    }
  }

  /** A line that is no message is reported and skipped. */
  #next(): JSONRPCMessage | null {
    for (;;) {
      try {
        return this.#buffer.readMessage();
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}
