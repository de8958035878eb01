/** Shows the response when it has arrived, with its status, and returns the focus to the button. */
export function executePlugin({ React: { createElement, useEffect, useRef } }) {
  const withResponse = (Execute) =>
    function ExecuteAndShow(props) {
      const place = useRef(null);
      const wasDisabled = useRef(false);
      useEffect(() => {
        if (wasDisabled.current && !props.disabled) showResponse(place.current);
        wasDisabled.current = props.disabled;
      });
      return createElement('div', { className: 'execute-place', ref: place }, createElement(Execute, props));
    };

  return { wrapComponents: { execute: withResponse } };
}

/** A button that is disabled during a request loses the focus, and with it the place of people who use the keyboard. */
function showResponse(place) {
  const { activeElement, body } = window.document;
  if (activeElement === body) place.querySelector('button').focus({ preventScroll: true });
  place.closest('.opblock').querySelector('.live-responses-table')?.scrollIntoView({ block: 'nearest' });
}
