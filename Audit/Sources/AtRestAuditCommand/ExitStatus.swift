/// The exit code of the command, for scripts.
enum ExitStatus: Int32 {
  case clean = 0
  case findings = 1
  case usage = 2
}
