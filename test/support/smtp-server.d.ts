/** What tests use of it. */
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  export interface Session {
    envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] };
  }
  export class SMTPServer {
    constructor(options: {
      disabledCommands?: string[];
      onAuth?: (
        auth: { username?: string; password?: string },
        session: Session,
        done: (err: Error | null, answer?: { user: string }) => void,
      ) => void;
      onData: (stream: Readable, session: Session, done: (err: Error | null) => void) => void;
    });
    server: Server;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }
}
