/**
 * A client that was written from the contract alone, and shares no code with the service. It creates and deletes records.
 */
import './steps/sessions.mjs';
import './steps/users.mjs';
import './steps/organizations.mjs';
import './steps/managers.mjs';
import './steps/apis.mjs';
import './steps/files.mjs';
import './steps/lists.mjs';
