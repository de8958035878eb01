import { apiErrors } from './api-error';
import { fieldError, type FieldErrorName, fieldErrors } from './field-error';

/** The table of contract §5. */
const CODES: Readonly<Record<number, readonly number[]>> = {
  400: [1001, 1002, 1006, 1024],
  401: [1100, 1101, 1102, 1103, 1104],
  403: [1200],
  404: [1234, 1301, 1302, 1303, 1304, 1305, 1306],
  405: [1400],
  408: [1006],
  409: [1501, 1502, 1503, 1504, 1505, 1506, 1507, 1508, 1509, 1510, 1511],
  412: [1600],
  413: [1004],
  414: [1006],
  415: [1003],
  417: [1006],
  429: [1700],
  431: [1006],
  500: [1900],
  503: [1901, 1902, 1903],
};

describe('the table of errors', () => {
  it('has the statuses and codes of the contract, and no others', () => {
    const found: Record<number, number[]> = {};
    for (const { status, code } of Object.values(apiErrors)) (found[status] ??= []).push(code);
    for (const codes of Object.values(found)) codes.sort();
    expect(found).toEqual(CODES);
  });

  it('has one sentence per error', () => {
    const messages = Object.values(apiErrors).map(({ message }) => message);
    for (const message of messages) expect(message).toMatch(/^[A-Z].{10,}[.>]$/);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe('the table of field errors', () => {
  it('has the codes of the contract, in the order in which a field is validated', () => {
    const codes = Object.values(fieldErrors).map(({ code }) => code);
    expect(codes).toEqual([5001, 5622, 5002, 5432, 5005, 5006, 5010, 5007, 5008, 5009, 5011, 5012, 5013, 5014, 5003]);
  });

  it('continues the field’s name, with a detail of its own if one is given', () => {
    const own = { title: 'field', detail: 'is wrong' };
    for (const name of Object.keys(fieldErrors) as FieldErrorName[]) {
      expect(fieldErrors[name].detail).toMatch(/^(is|has|must|contains|does) /);
      expect(fieldError(name, own.title, own.detail)).toEqual({ ...fieldErrors[name], ...own });
    }
  });
});
