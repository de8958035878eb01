/** Starts Swagger UI. A separate file, because the page's policy forbids inline scripts. */
import { executePlugin } from './execute.mjs';
import { formsPlugin } from './forms.mjs';
import { loginFormPlugin } from './login-form.mjs';
import { afterResponse, beforeRequest, loginPlugin, offerProvider } from './login.mjs';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => window.document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Without the badge of an external validator.
  validatorUrl: null,
  plugins: [loginPlugin, loginFormPlugin, executePlugin, formsPlugin],
  requestInterceptor: beforeRequest,
  responseInterceptor: afterResponse,
  // Relative to the page, as in index.html.
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', window.location.href).href,
  onComplete: offerProvider,
});
