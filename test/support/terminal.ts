import { Program } from './program.mjs';

/** Runs a command in a terminal of its own, and presses Ctrl-C at SIGTERM. */
const TERMINAL = `
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.write(terminal, b"\\3"))
try:
    while text := os.read(terminal, 65536): os.write(1, text)
except OSError: pass # how Linux says that nobody has the terminal open any more
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** A command in a terminal with colors; its `output` is what the terminal shows. Needs Python 3, as the embedded database does. */
export function inTerminal(command: string[], env: Record<string, string> = {}, cwd?: string): Program {
  return new Program(['-c', TERMINAL, ...command], { TERM: 'xterm-256color', ...env }, cwd, 'python3');
}
