// The dashboard in a headless browser, over a service of its own. Environment: SPINEWEAVE_PROGRAM, and
// SPINEWEAVE_DASHBOARD_MODULES, the folder with playwright-core. Exits with 77 where there is no browser.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Service } from './service.mjs';

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (browserPath === undefined) {
  console.log('SKIPPED: there is no Chromium here');
  process.exit(77);
}
const { chromium } = createRequire(join(process.env.SPINEWEAVE_DASHBOARD_MODULES, 'x'))('playwright-core');

const kPatience = 20000;
let browser;
let service;

before(async () => {
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  service = await Service.start();
  await service.ask('PUT', '/v1/fabric', 'leaf-spine:leaves=4,spines=4,hosts=2,gbps=100');
  await service.putRing('ring');
  await service.get('/v1/routing?since=0&wait=20s');
});
after(async () => {
  await browser?.close();
  await service?.end();
});

/** A page that keeps what it wrote to the console and whom it asked. */
async function open(of = service) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(kPatience);
  page.messages = [];
  page.asked = new Set();
  page.on('console', (message) => page.messages.push(message.text()));
  page.on('pageerror', (error) => page.messages.push(String(error)));
  page.on('request', (request) => page.asked.add(new URL(request.url()).origin));
  await page.goto(of.address);
  return page;
}

const waitForText = (page, selector, text) =>
  page.waitForFunction(
    ([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted),
    [selector, text],
    { timeout: kPatience },
  );

const cells = (page, table) =>
  page.$$eval(`${table} tbody tr`, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

/** It was quiet, and stayed with its server. */
async function closeQuiet(page) {
  assert.deepEqual(page.messages, []);
  assert.deepEqual([...page.asked], [service.address]);
  await page.close();
}

test('it shows the numbers of a known state', async () => {
  const page = await open();
  await waitForText(page, '#tile-efficiency', '1.00');
  await waitForText(page, '#jobs-count', '1');
  await waitForText(page, '#hosts-count', '8');
  const tile = (name) => page.textContent(`#tile-${name}`);
  assert.equal(await tile('worst-job'), '1.00×');
  assert.equal(await tile('gap'), '0 %');
  assert.equal(await tile('fullest'), '100 %');
  assert.equal(await tile('links-down'), '0');
  assert.equal(await tile('hosts-behind'), '8'); // nobody has acknowledged anything
  assert.equal(await page.textContent('#fabric'), '8 endpoints · 8 switches · 48 links');
  assert.deepEqual(await cells(page, '#jobs'), [['ring', 'gpt', '8', '1.00×', '1.00×', '100.0', '1.00×']]);
  const { revision } = (await service.get('/v1/revisions')).revisions[0];
  const [row] = await cells(page, '#revisions');
  assert.equal(row[0], String(revision));
  assert.equal(row[3], '8');
  assert.equal(await page.textContent('#now-title'), `Now · revision ${revision}`);
  assert.equal(await page.textContent('#badge-health'), 'Healthy');
  await closeQuiet(page);
});

test('it shows changes without being loaded again, and names never become markup', async () => {
  const page = await open();
  await waitForText(page, '#badge-connection', 'Live');
  await service.ask('PATCH', '/v1/fabric/links/leaf-0-spine-0', { state: 'down' });
  await waitForText(page, '#tile-links-down', '2');
  const name = '<img src=x onerror=alert(1)>';
  await service.putRing(name);
  await waitForText(page, '#jobs', name);
  await service.ask('POST', '/v1/freeze');
  await waitForText(page, '#badge-frozen', 'Frozen');
  await service.ask('POST', '/v1/unfreeze');
  await page.waitForSelector('#badge-frozen', { state: 'hidden' });
  await service.ask('DELETE', `/v1/jobs/${encodeURIComponent(name)}`);
  await page.waitForFunction(() => document.querySelectorAll('#jobs tbody tr').length === 1);
  const { revision } = await service.get('/v1/status');
  for (const { id } of (await service.get('/v1/hosts')).hosts)
    await service.ask('POST', `/v1/hosts/${id}/applied`, { revision });
  await waitForText(page, '#tile-hosts-behind', '0');
  await waitForText(page, '#hosts .empty', 'All hosts');
  await closeQuiet(page);
});

test('the keyboard reaches everything', async () => {
  const page = await open();
  await waitForText(page, '#jobs-count', '1');
  await page.waitForFunction(() => document.querySelector('#map-now').hasAttribute('aria-label'));
  await page.focus('#map-now');
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await waitForText(page, '#readout', 'leaf-1 · spine-2: now');
  await page.keyboard.press('Enter');
  await waitForText(page, '#detail-note', '12 links');
  assert.equal(await page.textContent('#detail-title'), 'Links of leaf-1');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#detail', { state: 'hidden' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'map-now');

  await page.focus('#jobs th:nth-child(3) button');
  await page.keyboard.press('Enter');
  assert.equal(await page.getAttribute('#jobs th:nth-child(3)', 'aria-sort'), 'descending');
  await page.keyboard.press('Enter');
  assert.equal(await page.getAttribute('#jobs th:nth-child(3)', 'aria-sort'), 'ascending');
  await page.focus('#jobs-filter');
  await page.keyboard.type('nothing like it');
  await page.waitForFunction(() => document.querySelectorAll('#jobs tbody tr').length === 0);
  await page.fill('#jobs-filter', 'RIN');
  await page.keyboard.press('Tab');
  for (let column = 0; column < 7; ++column) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'ring');
  await page.keyboard.press('Enter');
  await waitForText(page, '#detail-title', 'Links that job ring takes');
  await page.keyboard.press('Enter'); // on Close
  await page.waitForSelector('#detail', { state: 'hidden' });
  await page.focus('#revisions tbody tr:last-child button'); // of a job that is still there
  await page.keyboard.press('Enter');
  await waitForText(page, '#detail-body', 'leaf-');
  assert.match(await page.textContent('#detail-title'), /^Moves of revision \d+$/);
  await page.keyboard.press('Escape');

  await page.focus('input[name=direction]:checked');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.$eval('input[name=direction]:checked', (input) => input.value), 'up');
  await closeQuiet(page);
});

test('nothing moves while it fills', async () => {
  const page = await open();
  const places = () =>
    page.$$eval('section, .tile, .map', (all) =>
      all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height];
      }),
    );
  await page.waitForSelector('.tile');
  const empty = await places();
  await waitForText(page, '#jobs-count', '1');
  await waitForText(page, '#tile-efficiency', '.');
  assert.deepEqual(await places(), empty);
  await page.close();
});

test('65,536 endpoints are grouped by pod and open one by one', async () => {
  const big = await Service.start();
  await big.ask('PUT', '/v1/fabric', 'fat-tree:k=64,gbps=400');
  const page = await open(big);
  await waitForText(page, '#fabric', '65,536 endpoints');
  await page.waitForFunction(() => document.querySelector('#map-now').ariaLabel?.includes('64 rows, 32 columns'));
  await page.focus('#map-now');
  await page.keyboard.press('ArrowDown');
  await waitForText(page, '#readout', 'pod 1 · aggregation #0');
  await page.keyboard.press('Enter');
  await waitForText(page, '#trail', 'pod 1');
  await page.waitForFunction(() => document.querySelector('#map-now').ariaLabel.includes('32 rows, 32 columns'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#map-now').ariaLabel.includes('64 rows, 32 columns'));
  assert.deepEqual(page.messages, []);
  await page.close();
  await big.end();
});

test('it finds the service again after that was away', async () => {
  const page = await open();
  await waitForText(page, '#badge-connection', 'Live');
  await service.stop();
  await waitForText(page, '#badge-connection', 'Reconnecting');
  await service.run();
  await waitForText(page, '#badge-connection', 'Live');
  await service.putRing('second');
  await waitForText(page, '#jobs', 'second');
  await page.close();
});

test('it asks for the token where the service has one', async () => {
  const closed = await Service.start('open-sesame-open-sesame');
  const page = await open(closed);
  await page.waitForSelector('#login[open]');
  await page.keyboard.type('open-sesame-open-sesame');
  await page.keyboard.press('Enter');
  await waitForText(page, '#badge-connection', 'Live');
  await waitForText(page, '#fabric', 'no fabric yet');
  await page.close();
  await closed.end();
});
