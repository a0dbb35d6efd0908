import test from 'ava';
import fc from 'fast-check';
import { polygonFault } from '../../platform/polygon-faults.ts';

type Ring = readonly (readonly [number, number])[];

function faultOf(...coordinates: readonly Ring[]) {
  return polygonFault({ type: 'Polygon', coordinates });
}

function square(from: number, size: number): Ring {
  const to = from + size;
  return [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
    [from, from],
  ];
}

const SOUND: readonly (readonly [string, readonly Ring[]])[] = [
  ['a square', [square(0, 10)]],
  ['a square the other way round', [[...square(0, 10)].reverse()]],
  ['a square with a hole', [square(0, 10), square(2, 2)]],
  ['a square with two holes', [square(0, 10), square(1, 2), square(5, 2)]],
  [
    'a corner on a straight line',
    [
      [
        [0, 0],
        [5, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ],
    ],
  ],
  [
    'a repeated position',
    [
      [
        [0, 0],
        [10, 0],
        [10, 0],
        [10, 10],
        [0, 0],
      ],
    ],
  ],
  [
    'a star with inward corners',
    [
      [
        [0, 0],
        [5, 2],
        [10, 0],
        [8, 5],
        [10, 10],
        [5, 8],
        [0, 10],
        [2, 5],
        [0, 0],
      ],
    ],
  ],
  [
    'the whole globe',
    [
      [
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
        [-180, -90],
      ],
    ],
  ],
];
for (const [what, rings] of SOUND) {
  test(`${what} is sound`, (t) => {
    t.is(faultOf(...rings), undefined);
  });
}

const FAULTY: readonly (readonly [string, readonly Ring[], number, string])[] = [
  ['a ring that does not close', [square(0, 10).slice(0, 4)], 0, 'open'],
  ['a hole that does not close', [square(0, 10), square(2, 2).slice(0, 4)], 1, 'open'],
  [
    'a bow tie',
    [
      [
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
        [0, 0],
      ],
    ],
    0,
    'crosses_itself',
  ],
  [
    'a bow tie whose knot is a corner',
    [
      [
        [0, 0],
        [5, 5],
        [10, 0],
        [10, 10],
        [5, 5],
        [0, 10],
        [0, 0],
      ],
    ],
    0,
    'crosses_itself',
  ],
  [
    'a corner that touches a side',
    [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 0],
        [0, 10],
        [0, 0],
      ],
    ],
    0,
    'crosses_itself',
  ],
  [
    'a spike',
    [
      [
        [0, 0],
        [10, 0],
        [15, 0],
        [10, 0],
        [10, 10],
        [0, 0],
      ],
    ],
    0,
    'crosses_itself',
  ],
  [
    'a line forth and back',
    [
      [
        [0, 0],
        [5, 5],
        [10, 10],
        [0, 0],
      ],
    ],
    0,
    'crosses_itself',
  ],
  [
    'a line that begins in its middle',
    [
      [
        [5, 0],
        [10, 0],
        [0, 0],
        [5, 0],
      ],
    ],
    0,
    'crosses_itself',
  ],
  [
    'one position four times',
    [
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ],
    0,
    'crosses_itself',
  ],
  ['a hole across the border', [square(0, 10), square(8, 4)], 1, 'meets_another_ring'],
  ['a hole that touches the border', [square(0, 10), square(0, 4)], 1, 'meets_another_ring'],
  ['the border as its own hole', [square(0, 10), square(0, 10)], 1, 'meets_another_ring'],
  ['holes that overlap', [square(0, 10), square(1, 3), square(3, 3)], 2, 'meets_another_ring'],
  ['a hole outside', [square(0, 10), square(20, 2)], 1, 'outside'],
  ['a hole around the border', [square(2, 2), square(0, 10)], 1, 'outside'],
  ['a hole in a hole', [square(0, 10), square(1, 6), square(2, 2)], 2, 'inside_another_hole'],
];
for (const [what, rings, ring, kind] of FAULTY) {
  test(`${what} is found`, (t) => {
    t.deepEqual(faultOf(...rings), { ring, kind });
  });
}

test('a nearly straight corner is judged exactly', (t) => {
  const tip = 5 + Number.EPSILON * 8;
  const ring: Ring = [
    [0, 0],
    [10, 10],
    [5, tip],
    [0, 0],
  ];
  t.is(faultOf(ring), undefined);
});

test('every polygon around a point, its corners by their angle, is sound, and with two corners swapped is not', (t) => {
  const corners = fc.integer({ min: 4, max: 60 });
  const radius = fc.double({ min: 1, max: 40, noNaN: true });
  fc.assert(
    fc.property(corners, fc.array(radius, { minLength: 60, maxLength: 60 }), (count, radii) => {
      const open = radii.slice(0, count).map((distance, index): readonly [number, number] => {
        const angle = (2 * Math.PI * index) / count;
        return [distance * Math.cos(angle), distance * Math.sin(angle)];
      });
      const [first = [0, 0], second = [0, 0], ...rest] = open;
      const isSound = faultOf([first, second, ...rest, first]) === undefined;
      // Neighbours in the wrong order make two sides around the point cross, where they are as far away from it.
      const circle = open.map(([x, y]): readonly [number, number] => {
        const distance = Math.hypot(x, y);
        return [x / distance, y / distance];
      });
      const [one = [0, 0], two = [0, 0], ...others] = circle;
      const swapped = faultOf([two, one, ...others, two]);
      return isSound && swapped?.kind === 'crosses_itself';
    }),
  );
  t.pass();
});

test('a thousand positions take less than half a second of a processor', (t) => {
  const ring = Array.from({ length: 999 }, (_, index): readonly [number, number] => {
    const angle = (2 * Math.PI * index) / 999;
    return [40 * Math.cos(angle), 40 * Math.sin(angle)];
  });
  const [first = [0, 0]] = ring;
  const before = process.cpuUsage();
  t.is(faultOf([...ring, first]), undefined);
  t.true(process.cpuUsage(before).user / 1_000 < 500);
});
