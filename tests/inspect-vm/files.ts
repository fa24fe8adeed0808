// The initial file system of the virtual laptop of inspect-vm.ts: BusyBox, the kernel's modules, and programs of this machine.

import { access, chmod, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from './run.ts';

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export interface Kernel {
  image: string;
  modules: string;
}

/** The newest of Debian's kernels for real machines below a folder; the one for virtual machines lacks screens and batteries. */
export async function findKernel(root: string): Promise<Kernel | null> {
  const names = (await readdir(join(root, 'boot')).catch(() => []))
    .filter((name) => /^vmlinuz-.*-amd64$/.test(name) && !name.includes('-cloud-'))
    .sort();
  for (const name of names.reverse()) {
    const modules = join(root, 'lib/modules', name.replace('vmlinuz-', ''));
    if (await exists(join(modules, 'modules.dep'))) return { image: join(root, 'boot', name), modules };
  }
  return null;
}

const moduleName = (path: string) =>
  basename(path)
    .replace(/\.ko.*$/, '')
    .replaceAll('-', '_');

/** The files of modules with those that they need, in the order in which they can be loaded. Built-in ones have none. */
async function moduleFiles({ modules }: Kernel, wanted: readonly string[]): Promise<string[]> {
  const lines = (await readFile(join(modules, 'modules.dep'), 'utf8')).split('\n');
  const builtIn = (await readFile(join(modules, 'modules.builtin'), 'utf8')).split('\n').map(moduleName);
  const files: string[] = [];
  for (const name of wanted) {
    const line = lines.find((each) => moduleName(each.split(':')[0] ?? '') === name);
    if (line === undefined && !builtIn.includes(name)) throw new Error(`The kernel has no module ${name}.`);
    const [file = '', needed = ''] = line?.split(':') ?? [];
    // A module is listed before those that it needs.
    for (const path of [file, ...needed.trim().split(' ')].reverse()) {
      if (path !== '' && !files.includes(path)) files.push(path);
    }
  }
  return files;
}

/** The commands that unpack modules by their suffix. */
const unpackers: Readonly<Record<string, string>> = { xz: 'xz', zst: 'zstd', gz: 'gzip' };

async function addModules(root: string, kernel: Kernel, wanted: readonly string[]): Promise<void> {
  await mkdir(join(root, 'modules'), { recursive: true });
  const names: string[] = [];
  for (const file of await moduleFiles(kernel, wanted)) {
    const name = `${moduleName(file)}.ko`;
    const unpacker = unpackers[file.split('.ko.')[1] ?? ''];
    const source = join(kernel.modules, file);
    if (unpacker === undefined) await copyFile(source, join(root, 'modules', name));
    else await writeFile(join(root, 'modules', name), await run(unpacker, ['-dc', source]));
    names.push(name);
  }
  await writeFile(join(root, 'modules/order'), `${names.join('\n')}\n`);
}

/** Copies a file of this machine to the same path. */
async function addFile(root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await copyFile(path, join(root, path));
}

/** Copies a program of this machine with its libraries. */
export async function addProgram(root: string, program: string): Promise<void> {
  const libraries = (await run('ldd', [program])).toString().match(/\/\S+/g) ?? [];
  for (const path of [program, ...libraries]) await addFile(root, path);
}

/** Where libraries and data of optional programs may be. */
export async function addFirstOf(root: string, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if (!(await exists(path))) continue;
    if (path.includes('.so')) await addProgram(root, path);
    else await addFile(root, path);
    return true;
  }
  return false;
}

/** Writes a folder with BusyBox, the script and the modules. @returns its path */
export async function createRoot(
  folder: string,
  busybox: string,
  kernel: Kernel,
  modules: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const root = join(folder, 'root');
  for (const name of ['bin', 'proc', 'sys', 'dev', 'tmp', 'etc', 'run']) {
    await mkdir(join(root, name), { recursive: true });
  }
  await chmod(join(root, 'tmp'), 0o1777);
  await copyFile(busybox, join(root, 'bin/busybox'));
  await symlink('busybox', join(root, 'bin/sh'));
  await addModules(root, kernel, modules);
  for (const [path, content] of Object.entries(files)) {
    await writeFile(join(root, path), content, { mode: 0o755 });
  }
  return root;
}

/** Packs a folder as the kernel's initial file system. @returns its path */
export async function packRoot(folder: string, root: string, busybox: string): Promise<string> {
  const names = await readdir(root, { recursive: true });
  const archive = await run(busybox, ['cpio', '-o', '-H', 'newc'], {
    cwd: root,
    input: `${['.', ...names].join('\n')}\n`,
  });
  await writeFile(join(folder, 'initrd'), archive);
  return join(folder, 'initrd');
}
