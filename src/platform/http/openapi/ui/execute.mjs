/** What belongs to the button that sends a request: it keeps the focus, says what came of it, and shows the response. */
export function executePlugin(system) {
  const { createElement, useEffect, useReducer, useRef } = system.React;

  const withOutcome = (Execute) =>
    function ExecuteWithOutcome(props) {
      const place = useRef(null);
      const wasDisabled = useRef(false);
      const [, drawAgain] = useReducer((count) => count + 1, 0);
      useEffect(() => {
        const isDone = wasDisabled.current && !props.disabled;
        wasDisabled.current = props.disabled;
        if (isDone) showResponse(place.current);
      });
      const outcome = createElement('span', { role: 'status', className: 'outcome' }, outcomeOf(system, props));
      // Swagger UI does not draw the button again when it refuses to send a request.
      const around = { className: 'execute-place', ref: place, onClick: drawAgain };
      return createElement('div', around, createElement(Execute, props), outcome);
    };

  return { wrapComponents: { execute: withOutcome } };
}

/** A button that is disabled during a request loses the focus, and with it the place of people who use the keyboard. */
function showResponse(place) {
  const { activeElement, body } = window.document;
  if (activeElement === body) place.querySelector('button').focus({ preventScroll: true });
  place.closest('.opblock').querySelector('.live-responses-table')?.scrollIntoView({ block: 'nearest' });
}

/** @returns the outcome of the last click in a few words */
function outcomeOf({ specSelectors, oas3Selectors }, { path, method, disabled }) {
  if (disabled) return 'Sending …';
  const missing = [
    ...specSelectors.validationErrors([path, method]),
    ...(oas3Selectors.requestBodyErrors(path, method) ?? []).map((error) => `The request body: ${error}`),
  ];
  if (missing.length > 0) return `Not sent. ${missing.join(' ')}`;
  const response = specSelectors.responseFor(path, method);
  if (!response) return '';
  const { status, statusText, message, duration } = response.toJS();
  if (!status) return `No response: ${message}`;
  return `${status} ${statusText ?? ''}${duration ? ` in ${duration} ms` : ''}`;
}
