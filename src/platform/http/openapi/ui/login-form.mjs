/** Makes the body of a login a form of two fields, which password managers can fill in. */

const PATH = '/sessions';
const FIELD = '.login-form input';

/** Shows the form, whatever the page shows now. Its first field has the focus. */
export function showLoginForm({ layoutActions }) {
  layoutActions.updateFilter('');
  layoutActions.show(['operations-tag', 'sessions'], true);
  layoutActions.show(['operations', 'sessions', 'createSession'], true);
  window.document.querySelector(FIELD)?.focus();
}

export function loginFormPlugin({ React: { createElement } }) {
  /** @param props those of the JSON box that it replaces: the text of the body, and what to call when that changes */
  function LoginForm({ value, onChange }) {
    const { username = '', email = username, password = '' } = fieldsOf(value);
    const change = (name, secret) => onChange(bodyOf(name, secret));
    const field = (label, props, onInput) => {
      const input = createElement('input', { ...props, onChange: ({ target }) => onInput(target.value) });
      return createElement('label', null, label, input);
    };
    const name = { type: 'text', name: 'username', autoComplete: 'username', value: email, autoFocus: true };
    const secret = { type: 'password', name: 'password', autoComplete: 'current-password', value: password };
    return createElement(
      'form',
      { className: 'login-form', onSubmit: submit },
      field('Username or e-mail address', name, (entered) => change(entered, password)),
      field('Password', secret, (entered) => change(email, entered)),
      // Without it, Enter does not submit a form of two fields.
      createElement('button', { type: 'submit', hidden: true }),
    );
  }

  const withLoginForm = (RequestBody) =>
    function LoginOrOther(props) {
      const [, path, method] = props.specPath;
      if (path !== PATH || method !== 'post') return createElement(RequestBody, props);
      const getComponent = (name, ...options) =>
        name === 'RequestBodyEditor' ? LoginForm : props.getComponent(name, ...options);
      return createElement(RequestBody, { ...props, getComponent });
    };

  return { wrapComponents: { RequestBody: withLoginForm } };
}

function submit(event) {
  event.preventDefault();
  event.currentTarget.closest('.opblock').querySelector('button.execute').click();
}

function fieldsOf(body) {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

/** The body of a login: only an e-mail address has an `@`. */
function bodyOf(name, password) {
  return JSON.stringify({ [name.includes('@') ? 'email' : 'username']: name, password }, null, 2);
}
