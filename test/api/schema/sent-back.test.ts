import test from 'ava';
import { isMemberSentBack } from '../../../api/schema/sent-back.ts';

const iri = { type: 'string', format: 'iri-reference' };
const moment = { type: 'string', format: 'date-time' };
const embedded = {
  type: 'object',
  properties: { '@id': iri, id: { format: 'uuid' }, status: { type: 'string' } },
};
const SHAPE = {
  type: 'object',
  properties: {
    '@id': iri,
    id: { type: 'string', format: 'uuid' },
    createdAt: moment,
    pickupPoint: iri,
    approve: iri,
    fee: { type: 'object', properties: { base: { type: 'string' }, total: { type: 'string' } } },
    tasks: { type: 'array', items: embedded },
    status: { type: 'string' },
    missing: { type: 'string' },
  },
};

const ID = '0197c0de-0000-7000-8000-0000000000aa';
const OTHER = '0197c0de-0000-7000-8000-0000000000bb';
const TASK = { '@id': `/api/v1/tasks/${OTHER}`, id: OTHER, status: 'pending' };
const DOCUMENT = {
  '@id': `/api/v1/shipments/${ID}`,
  id: ID,
  createdAt: '2026-03-01T09:30:00.120Z',
  pickupPoint: `/api/v1/pickup-points/${ID}`,
  approve: `/api/v1/shipments/${ID}/approve`,
  fee: { base: '5.00', total: '7.00' },
  tasks: [TASK],
  status: 'pending',
};

const SAME: readonly (readonly [string, unknown])[] = [
  ...Object.entries(DOCUMENT),
  ['id', ID.toUpperCase()],
  ['id', `/api/v1/shipments/${ID}`],
  ['createdAt', '2026-03-01T10:30:00.12+01:00'],
  ['pickupPoint', `/api/v1/pickup_points/${ID}`],
  ['pickupPoint', ID],
  ['pickupPoint', { '@id': `/api/v1/pickup-points/${ID}`, name: 'Depot' }],
  ['fee', { total: '7.00', base: '5.00', currency: 'EUR' }],
  ['tasks', [`/api/v1/tasks/${OTHER}`]],
  ['tasks', [OTHER]],
  ['tasks', [{ ...TASK, id: TASK['@id'], originId: OTHER }]],
  ['tasks', [{ id: OTHER, status: 'pending' }]],
  ['missing', null],
];
const CHANGED: readonly (readonly [string, unknown])[] = [
  ['@id', `/api/v1/shipments/${OTHER}`],
  ['id', OTHER],
  ['id', `/api/v1/tasks/${ID}`],
  ['id', null],
  ['id', { '@id': DOCUMENT['@id'] }],
  ['createdAt', '2026-03-01T09:30:00.121Z'],
  ['createdAt', 'soon'],
  ['pickupPoint', `/api/v1/pickup-points/${OTHER}`],
  ['pickupPoint', `/api/v1/merchants/${ID}`],
  ['approve', ID],
  ['fee', { base: '6.00', total: '7.00' }],
  ['fee', { total: '7.00' }],
  ['fee', {}],
  ['fee', []],
  ['tasks', []],
  ['tasks', [TASK, TASK]],
  ['tasks', [{ ...TASK, status: 'delivered' }]],
  ['tasks', [{ ...TASK, id: ID }]],
  ['tasks', { 0: TASK }],
  ['status', 'Pending'],
  ['status', ['pending']],
  ['missing', ''],
];

test('a value is sent back that names the same record, moment or text as the shown one', (t) => {
  for (const [name, sent] of SAME) {
    t.true(isMemberSentBack(SHAPE, name, sent, DOCUMENT), `${name} ${JSON.stringify(sent)}`);
  }
});

test('a value is not sent back that names anything else', (t) => {
  for (const [name, sent] of CHANGED) {
    t.false(isMemberSentBack(SHAPE, name, sent, DOCUMENT), `${name} ${JSON.stringify(sent)}`);
  }
});
