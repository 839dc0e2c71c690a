/** Requests to begin with, of the kinds that small models answer too. */
export const EXAMPLES = [
  {
    title: 'Extract a record', about: 'An invoice in the shape of a JSON Schema',
    prompt: 'Extract the data: invoice KX-4711 came in over a total of 1290.5 in CHF.',
    settings: {
      constraint: { kind: 'schema', text: JSON.stringify({
        type: 'object',
        properties: { number: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' }, total: { type: 'number' }, currency: { enum: ['CHF', 'EUR', 'USD'] } },
        required: ['number', 'total', 'currency'], additionalProperties: false,
      }, null, 2) },
    },
  },
  {
    title: 'Call a tool', about: 'Arguments that always fit the declaration',
    prompt: 'What is the weather in Oslo?',
    settings: {
      tools: JSON.stringify([{ type: 'function', function: {
        name: 'get_weather', description: 'Current weather in a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      } }], null, 2),
    },
  },
  {
    title: 'Pick a label', about: 'One of a list of choices',
    prompt: 'Is this review positive, neutral or negative? "The best soup I ever had."',
    settings: { constraint: { kind: 'choice', text: 'positive\nneutral\nnegative' } },
  },
  {
    title: 'Follow a pattern', about: 'A date in the form of a regular expression',
    prompt: 'Write the date of this note as year-month-day: paid on 2026-03-14.',
    settings: { constraint: { kind: 'regex', text: '20[0-9]{2}-(0[1-9]|1[0-2])-[0-3][0-9]' } },
  },
];
