/** Makes room for the operations: folds what the document says about the API as a whole, and shortens errors. */
export function layoutPlugin(system) {
  const { createElement } = system.React;

  /** The first paragraphs, and the sections after them. */
  const partsOf = (description = '') => {
    const end = description.indexOf('\n### ');
    return end === -1 ? [description, ''] : [description.slice(0, end), description.slice(end)];
  };

  const markdown = (source) => createElement(system.getComponent('Markdown', true), { source });

  const withFoldedSections = (InfoContainer) =>
    function FoldedInfo(props) {
      const [, sections] = partsOf(system.specSelectors.info().get('description'));
      const summary = createElement('summary', null, 'How requests and responses work');
      const folded = createElement('details', { className: 'info-sections' }, summary, markdown(sections));
      // Relative, as in index.html.
      const home = createElement('a', { className: 'home', href: './' }, 'About this registry');
      return createElement('div', null, createElement(InfoContainer, props), home, folded);
    };

  /** All errors have the same headers and the same form of body, so a row has only the codes and messages. */
  const withShortErrors = (Response) =>
    function ShortResponse(props) {
      const { code, className, response } = props;
      if (code.startsWith('2')) return createElement(Response, props);
      return createElement(
        'tr',
        { className: `response ${className ?? ''}`, 'data-code': code },
        createElement('td', { className: 'response-col_status' }, code),
        createElement('td', { className: 'response-col_description' }, markdown(response.get('description'))),
      );
    };

  return {
    wrapComponents: { InfoContainer: withFoldedSections, response: withShortErrors },
    statePlugins: {
      spec: {
        wrapSelectors: {
          selectInfoDescriptionField:
            (original) =>
            (...args) =>
              partsOf(original(...args))[0],
        },
      },
    },
  };
}
