/// How the command ends, for scripts to branch on.
enum ExitStatus: Int32 {
  case clean = 0
  case findings = 1
  case usage = 2
}
