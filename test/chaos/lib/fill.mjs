import mongoose from 'mongoose';

/** Records that are inserted at once. */
const BATCH = 1000;

/**
 * Inserts copies of an Organization.
 *
 * @param {string} uri
 * @param {string} path of the Organization
 * @param {number} count
 */
export async function fillOrganizations(uri, path, count) {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const organizations = connection.collection('organizations');
    const first = await organizations.findOne({ _id: new mongoose.Types.ObjectId(path.split('/').at(-1)) });
    for (let number = 0; number < count; number += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, count - number) }, (_, index) => number + index);
      await organizations.insertMany(numbers.map((one) => copyOf(first, one)));
    }
  } finally {
    await connection.close();
  }
}

function copyOf(organization, number) {
  const text = `filler-no-${number}`;
  return {
    ...organization,
    _id: new mongoose.Types.ObjectId(),
    name: `Filler no ${number}`,
    nameKey: `filler no ${number}`,
    searchText: `filler no ${number}\n${organization.searchText}`,
    slugs: [{ ...organization.slugs[0], text, base: text }],
  };
}
