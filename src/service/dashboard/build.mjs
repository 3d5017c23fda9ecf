// Bundles the dashboard: node build.mjs SOURCE_DIR NODE_MODULES OUTPUT_DIR
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [source, modules, output] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(modules, 'x'))('esbuild');

await mkdir(output, { recursive: true });
await build({
  entryPoints: { app: join(source, 'src/main.js') },
  outdir: output,
  nodePaths: [modules],
  bundle: true,
  minify: true,
  charset: 'ascii',
  format: 'esm',
  target: 'es2022',
  legalComments: 'none', // they are all in licences.txt
  logLevel: 'warning',
});

for (const name of ['index.html', 'icon.svg']) await copyFile(join(source, name), join(output, name));

const texts = [];
for (const name of ['echarts', 'zrender', 'tslib']) {
  for (const file of ['LICENSE', 'LICENSE.txt', 'NOTICE']) {
    const text = await readFile(join(modules, name, file), 'utf8').catch(() => null);
    if (text !== null) texts.push(`==== ${name}: ${file}\n\n${text.trim()}\n`);
  }
}
await writeFile(join(output, 'licences.txt'), texts.join('\n'));
