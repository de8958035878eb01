/** Names the fields that have no label in Swagger UI, for people who hear the page or speak to it. */
export function labelsPlugin({ React: { createElement } }) {
  const withLabel = (Field, labelOf) =>
    function LabelledField(props) {
      const label = createElement('span', { className: 'label-text' }, labelOf(props));
      return createElement('label', { className: 'labelled' }, label, createElement(Field, props));
    };

  return {
    wrapComponents: {
      FilterContainer: (Filter) => withLabel(Filter, () => 'Filter the operations by tag or path'),
      JsonSchemaForm: (Form) => withLabel(Form, ({ description }) => description),
      TextArea: (TextArea) => withLabel(TextArea, () => 'Request body (JSON)'),
    },
  };
}
