'use strict';

const { MongoClient, MongoError, MongoServerError, ObjectId } = require('mongodb');
const { Problem } = require('./problem');
const shapes = require('./shapes');

/** How long a request waits for an unavailable database, in milliseconds. */
const patience = 2000;

/**
 * The work of every contestant's API, without a framework: the same four operations on the same collections.
 * Each throws a Problem with the status of the answer: 400 for a value that does not have the shape, 404 for an unknown
 * shape or id, 503 if the database does not answer.
 *
 * @param {{ url: string, collections: string }} where address of a database, and the prefix of its collections' names
 */
module.exports = async function openRecords({ url, collections }) {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: patience, appName: 'nonstop-lab' });
  await client.connect();
  const database = client.db();
  const of = Object.fromEntries(
    Object.keys(shapes).map((shape) => [shape, database.collection(`${collections}${shape}`)]),
  );

  return {
    /** @returns {Promise<{ id: string }>} */
    async create(shape, body) {
      const collection = collectionOf(shape);
      const value = valueOf(shape, body);
      const { insertedId } = await answered(collection.insertOne({ value }));
      return { id: insertedId.toHexString() };
    },

    /** @returns {Promise<{ id: string, value: unknown }>} */
    async read(shape, id) {
      const found = await answered(collectionOf(shape).findOne({ _id: key(id) }));
      if (found === null) throw unknown(id);
      return { id, value: found.value };
    },

    /** @returns {Promise<{ id: string }>} */
    async replace(shape, id, body) {
      const collection = collectionOf(shape);
      const value = valueOf(shape, body);
      const { matchedCount } = await answered(collection.replaceOne({ _id: key(id) }, { value }));
      if (matchedCount === 0) throw unknown(id);
      return { id };
    },

    /** @returns {Promise<void>} */
    async remove(shape, id) {
      const { deletedCount } = await answered(collectionOf(shape).deleteOne({ _id: key(id) }));
      if (deletedCount === 0) throw unknown(id);
    },
  };

  function collectionOf(shape) {
    if (Object.hasOwn(of, shape)) return of[shape];
    throw new Problem(404, `there is no shape '${shape}'; there are ${Object.keys(shapes).join(', ')}`);
  }
};

function valueOf(shape, body) {
  if (shapes[shape].accepts(body?.value)) return body.value;
  throw new Problem(400, `the body has to be {"value": …} with ${shapes[shape].title}, or another of its kind`);
}

function key(id) {
  if (/^[\da-f]{24}$/.test(id)) return new ObjectId(id);
  throw unknown(id);
}

const unknown = (id) => new Problem(404, `there is no record '${id}'`);

/** Without a connection there is an error of the driver instead of an answer of the server. */
async function answered(operation) {
  try {
    return await operation;
  } catch (error) {
    if (!(error instanceof MongoError) || error instanceof MongoServerError) throw error;
    throw new Problem(503, 'the database does not answer', { cause: error });
  }
}
