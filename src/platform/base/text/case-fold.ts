import { asciiDomain } from './domain';
import { emailParts } from './email-address';
import { trim } from './text';

/**
 * `text` without regard to case (contract §10.2): two texts that differ only in case have the same result. Upper case is
 * between because `ß` and `ﬀ` have no lower-case form that equals `SS` and `FF`, and comes second because that of `ẞ` is
 * `ẞ`; `ς` is `σ` at the end of a word.
 */
export function caseFold(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}

/** The key under which a name is unique (contract §10.2). `İ` and `ı` are `i`, as Turkish texts in other languages have it. */
export function uniqueKey(text: string): string {
  return withoutDots(caseFold(spaced(text).trim()));
}

/** What `q` looks for, and in what (contract §2 `q`): the key of a name without trimming, with all apostrophes made alike. */
export function searchKey(text: string): string {
  // NFKC makes a space of some apostrophes, and apostrophes of others.
  return withoutDots(caseFold(withOneApostrophe(spaced(withOneApostrophe(text.normalize('NFC'))))));
}

/** The key under which a username is unique (contract §10.2): a look-alike of `i` must not be the same account. */
export function accountKey(text: string): string {
  return accountFold(spaced(text).trim());
}

/** The key under which an e-mail address is unique (contract §10.2): `bücher.example` and its ASCII form are one domain. */
export function emailKey(text: string): string {
  return withAsciiDomain(text, accountKey);
}

/** An account's username without regard to case. */
export function accountFold(username: string): string {
  return username.split('ı').map(caseFold).join('ı').normalize('NFC');
}

/** An account's e-mail address without regard to case, and to the form of its domain. */
export function emailFold(address: string): string {
  return withAsciiDomain(address, accountFold);
}

/** `text` with what looks alike made alike. NFKC comes first because it makes some of what is then removed or replaced. */
function spaced(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // White space includes U+2028 and U+2029; U+2800 is the blank Braille pattern. Dashes include the minus sign.
  return visible.replace(/[\p{White_Space}\u2800]+/gu, ' ').replace(/[\u2010-\u2015\u2212]/gu, '-');
}

/** Apostrophes, single quotation marks, primes, accents that stand alone, and letters that look like them. */
function withOneApostrophe(text: string): string {
  return text.replace(/[`´ʹʻʼʽʾʿˈʹ՚׳ߴߵ᾽᾿῾‘’‚‛′‵❛❜Ꞌꞌ＇｀]/gu, "'");
}

/** The lower case of `İ` is `i` and U+0307; other marks may be between them. */
function withoutDots(folded: string): string {
  if (!folded.includes('\u0307')) return folded;
  return folded
    .normalize('NFD')
    .replace(/(?<=i\p{M}*)\u0307/gu, '')
    .normalize('NFC');
}

function withAsciiDomain(address: string, fold: (text: string) => string): string {
  const { local, domain } = emailParts(address);
  if (domain === undefined) return fold(local);
  // Look-ups, and records of earlier versions, may have a domain that is none.
  return `${fold(local)}@${asciiDomain(trim(domain.normalize('NFKC'))) ?? fold(domain)}`;
}
