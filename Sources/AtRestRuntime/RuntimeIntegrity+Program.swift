extension RuntimeIntegrity {
  /// Checks who can change the program: its file, its libraries, and every folder above them. The
  /// folders matter because anyone who can rename a folder can replace what it contains.
  ///
  /// Only the user and root may change the program. The check therefore finds each file or folder
  /// that belongs to another user, that everyone may write, or that a group may write, except for
  /// root's group and the user's private group (which by convention has the same number as the
  /// user). A sticky folder such as `/tmp` is not a finding, because other users cannot replace
  /// files there that they do not own.
  func writableProgram() throws -> RuntimeFinding {
    if environment.platform == .appleMobile {
      return RuntimeFinding(
        .writableProgram, .notApplicable, "The system runs only signed programs.")
    }
    guard let executable = environment.executable() else {
      return undetermined(.writableProgram, "The system does not report the program's file.")
    }
    guard let executableWeakness = try weakness(executable) else {
      return undetermined(
        .writableProgram,
        "The program's file \(executable) was removed or replaced since it started.")
    }
    var weak = executableWeakness.isEmpty ? [] : ["\(executable) (\(executableWeakness))"]
    var seen: Set<String> = [executable]
    let files = [executable] + (try loadedLibraries() ?? [])
    for file in files {
      var place = file
      while seen.insert(place).inserted || place == executable {
        // A file that has been removed in the meantime cannot be written.
        if place != executable, let weakness = try weakness(place), !weakness.isEmpty {
          weak.append("\(place) (\(weakness))")
        }
        if place == "/" { break }
        place = Self.folder(of: place)
      }
    }
    guard weak.isEmpty else {
      return RuntimeFinding(
        .writableProgram, .found, "Other users can change the program: \(Self.list(weak)).",
        severity: .medium,
        remedy:
          "Have root or yourself own these, and take write permission from others (chmod go-w).")
    }
    return RuntimeFinding(
      .writableProgram, .clear, "Nobody but the user and root can change the program.")
  }

  /// Returns the reason why others can change the file at a path, an empty string if they cannot,
  /// or nil if the file does not exist.
  private func weakness(_ path: String) throws -> String? {
    guard let status = try environment.status(path) else { return nil }
    if status.owner != 0 && status.owner != environment.user() {
      return "belongs to user \(status.owner)"
    }
    if status.permissions & 0o1000 != 0 { return "" }
    if status.permissions & 0o002 != 0 { return "everyone may write" }
    let isOwn = status.group == 0 || status.group == status.owner
    if status.permissions & 0o020 != 0 && !isOwn { return "group \(status.group) may write" }
    return ""
  }
}
