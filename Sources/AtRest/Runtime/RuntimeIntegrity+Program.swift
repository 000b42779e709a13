extension RuntimeIntegrity {
  /// Looks who can change the program: its file, its libraries, and every folder above them, since who
  /// can rename a folder can put another in its place.
  ///
  /// The user may, and root. Others may not: a file or folder that belongs to another user, that
  /// everybody may write, or that a group may write other than root's and the one that is the user's own
  /// by convention (of the same number). In a sticky folder such as `/tmp` others cannot touch what is
  /// not theirs.
  func writableProgram() throws -> RuntimeFinding {
    if environment.platform == .appleMobile {
      return RuntimeFinding(
        .writableProgram, .notApplicable, "The system lets only signed programs run.")
    }
    guard let executable = environment.executable() else {
      return undetermined(.writableProgram, "The system does not tell which file the program is.")
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
        // What was removed since nobody can write.
        if place != executable, let weakness = try weakness(place), !weakness.isEmpty {
          weak.append("\(place) (\(weakness))")
        }
        if place == "/" { break }
        place = Self.folder(of: place)
      }
    }
    guard weak.isEmpty else {
      return RuntimeFinding(
        .writableProgram, .found, "Others can change the program: \(Self.list(weak)).",
        severity: .medium,
        remedy:
          "Have root or yourself own these, and take write permission from others (chmod go-w).")
    }
    return RuntimeFinding(
      .writableProgram, .clear, "Nobody but the user and root can change the program.")
  }

  /// Why others can change what is at a path, or empty; nil where there is nothing.
  private func weakness(_ path: String) throws -> String? {
    guard let status = try environment.status(path) else { return nil }
    if status.owner != 0 && status.owner != environment.user() {
      return "belongs to user \(status.owner)"
    }
    if status.permissions & 0o1000 != 0 { return "" }
    if status.permissions & 0o002 != 0 { return "everybody may write" }
    let isOwn = status.group == 0 || status.group == status.owner
    if status.permissions & 0o020 != 0 && !isOwn { return "group \(status.group) may write" }
    return ""
  }
}
