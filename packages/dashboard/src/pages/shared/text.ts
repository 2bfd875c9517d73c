export const SHARED = {
  title: 'Shared analytics',
  opening: 'Opening…',
  noSecret: 'The address is incomplete. Copy the whole link, with the part after #.',
  lead: 'This link is protected by a password.',
  password: 'Password',
  submit: 'Open',
};
