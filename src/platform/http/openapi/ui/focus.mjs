/** Keeps the focus on the button that sends a request. */
export function focusPlugin(system) {
  const { createElement } = system.React;

  /** A button that is disabled during a request loses the focus, and with it the place of people who use the keyboard. */
  const withFocus = (Execute) =>
    function FocusedExecute(props) {
      const place = system.React.useRef(null);
      const wasDisabled = system.React.useRef(false);
      system.React.useEffect(() => {
        const isLost = wasDisabled.current && !props.disabled && window.document.activeElement === window.document.body;
        wasDisabled.current = props.disabled;
        if (isLost) place.current.querySelector('button').focus({ preventScroll: true });
      });
      return createElement('div', { className: 'execute-place', ref: place }, createElement(Execute, props));
    };

  return { wrapComponents: { execute: withFocus } };
}
