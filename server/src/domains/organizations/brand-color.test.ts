import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContrastWithWhite, toBrandColors } from './brand-color.ts'

for (const [color, contrast, isUsed] of [
  ['#000000', 21, true],
  ['#7a2e5d', 8.83, true],
  ['#767676', 4.54, true],
  ['#777777', 4.47, false],
  ['#ffcc00', 1.51, false],
  ['#ffffff', 1, false],
] as const) {
  test(`white on ${color} has a contrast of ${contrast}, so the color is ${isUsed ? '' : 'not '}used`, {
    rules: ['connect.page-has-a-readable-color'],
  }, () => {
    assert.equal(readContrastWithWhite(color), contrast)
    assert.equal(toBrandColors(color) !== null, isUsed)
  })
}

test('the color of the dark theme is readable on the dark surface, and a color that is so already stays', {
  rules: ['connect.page-has-a-readable-color'],
}, () => {
  assert.deepEqual(toBrandColors('#767676'), { on_light: '#767676', on_dark: '#848484' })
  assert.deepEqual(toBrandColors('#000000'), { on_light: '#000000', on_dark: '#808080' })
  assert.equal(toBrandColors(null), null)
})
