// The page of a one-time link: to choose a password, or to accept an invitation.
import { element, form, input } from './elements.mjs';
import { send } from './http.mjs';
import { logIn } from './login.mjs';

const EMAIL_TAKEN = 1503;
/** Takes the token out of the address, so nobody finds it in the history. */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('link');
  if (token) history.replaceState(null, '', location.pathname);
  return token;
}

const ADVICE = ' You already have an account: sign in, and ask to be added as a Manager.';
const explain = (error) => Promise.reject(error.code === EMAIL_TAKEN ? new Error(error.message + ADVICE) : error);
/** @param done is called when the link was used, and its User is signed in */
export async function linkView(token, done) {
  const { purpose, username, email, organizationName } = await (await send('links/current', { token })).json();
  const isInvitation = purpose === 'invitation';
  const use = async ({ password, ...others }) => {
    const body = isInvitation ? { ...others, password } : { password };
    const used = await send('links/current', { method: 'POST', token, body }).catch(explain);
    await logIn((await used.json()).data.username, password);
    if (isInvitation) history.replaceState(null, '', '#list=organizations&mine=1');
    done();
  };
  const name = { autocomplete: 'username', required: true, value: username ?? '', readOnly: !isInvitation };
  const secret = { type: 'password', autocomplete: 'new-password', required: true, minLength: 8, maxLength: 128 };
  const fields = [
    input('Username', 'username', name),
    isInvitation && input('Company', 'companyName', { autocomplete: 'organization', required: true }),
    input('New password (at least 8 characters)', 'password', secret),
  ];
  const text = `You were invited to manage ${organizationName}. Your account will have the address ${email}.`;
  return [
    element('h2', { tabIndex: -1 }, isInvitation ? 'Create your account' : 'Choose a password'),
    isInvitation && element('p', { dir: 'auto' }, text),
    form(isInvitation ? 'Create the account' : 'Set the password', fields, use),
  ];
}
