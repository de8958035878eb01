/** Starts Swagger UI. A separate file, because the page's policy forbids inline scripts. */
import { copyPlugin } from './copy.mjs';
import { executePlugin } from './execute.mjs';
import { formsPlugin } from './forms.mjs';
import { labelsPlugin } from './labels.mjs';
import { layoutPlugin } from './layout.mjs';
import { loginFormPlugin } from './login-form.mjs';
import { beforeRequest, loginPlugin, offerProvider, restoreLogin } from './login.mjs';
import { referencesPlugin } from './references.mjs';

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
  plugins: [
    loginPlugin,
    loginFormPlugin,
    layoutPlugin,
    labelsPlugin,
    executePlugin,
    formsPlugin,
    copyPlugin,
    referencesPlugin,
  ],
  requestInterceptor: beforeRequest,
  // Relative to the page, as in index.html.
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', window.location.href).href,
  onComplete() {
    offerProvider();
    restoreLogin();
  },
});
