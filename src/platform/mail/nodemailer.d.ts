/** What Docent uses of it. */
declare module 'nodemailer' {
  export function createTransport(options: object): {
    sendMail(message: object): Promise<{ accepted: unknown[] }>;
    close(): void;
  };
}
