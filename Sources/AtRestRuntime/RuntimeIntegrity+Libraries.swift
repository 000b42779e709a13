import Foundation

extension RuntimeIntegrity {
  /// Environment variables that tell the loader to load additional libraries.
  private static let variables = ["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"]
  /// Folders in which anyone can create files, and to which no software is installed.
  private static let unusualPlaces = [
    "/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/tmp/", "/dev/", "/run/user/", "/memfd:",
    "/proc/",
  ]
  private static let remedy = "End the program, and start it from a clean environment."

  func injectedLibraries() throws -> [RuntimeFinding] {
    var found: [RuntimeFinding] = []
    for variable in Self.variables {
      // The environment at the program's start is checked too, because a library that was loaded
      // through a variable may have removed the variable.
      let values = [environment.variable(variable), startVariable(variable)]
      guard let value = values.compactMap({ $0 }).first(where: { !$0.isEmpty }) else { continue }
      found.append(
        RuntimeFinding(
          .injectedLibraries, .found,
          "The environment loads libraries with \(variable): \(value).",
          severity: .high, remedy: Self.remedy))
    }
    if environment.platform == .linux, let preload = try environment.text("/etc/ld.so.preload") {
      let names = preload.split(separator: "\n").map { $0.prefix { $0 != "#" }.trimmed }
        .filter { !$0.isEmpty }
      if !names.isEmpty {
        found.append(
          RuntimeFinding(
            .injectedLibraries, .found,
            "/etc/ld.so.preload makes every program load \(names.joined(separator: ", ")).",
            severity: .medium, remedy: "Remove the line, unless you know what it is for."))
      }
    }
    guard let libraries = try loadedLibraries() else {
      return found + [
        undetermined(.injectedLibraries, "The system does not report what is loaded.")
      ]
    }
    let unusual = try libraries.filter { try isUnusual($0) }
    if !unusual.isEmpty {
      found.append(
        RuntimeFinding(
          .injectedLibraries, .found,
          "Code was loaded from folders that anyone may write: \(Self.list(unusual)).",
          severity: .high,
          remedy: Self.remedy))
    }
    if found.isEmpty {
      found.append(
        RuntimeFinding(
          .injectedLibraries, .clear, "None of \(libraries.count) loaded files is out of place."))
    }
    return found
  }

  private func startVariable(_ name: String) -> String? {
    // If the program disabled core dumps, only root can read this file.
    guard environment.platform == .linux,
      let contents = try? environment.contents("/proc/self/environ")
    else { return nil }
    return contents.split(separator: 0).lazy.map { String(decoding: $0, as: UTF8.self) }
      .first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Returns the files from which the program has loaded code, or nil if the system does not report
  /// them.
  func loadedLibraries() throws -> [String]? {
    switch environment.platform {
    case .linux:
      guard let maps = try environment.text("/proc/self/maps"), !maps.isEmpty else { return nil }
      var seen = Set<String>()
      return maps.split(separator: "\n").compactMap { line -> String? in
        // The fields are address, permissions, offset, device, inode and path.
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[1].contains("x") else { return nil }
        let path = fields[5].trimmed
        guard path.hasPrefix("/"), seen.insert(path).inserted else { return nil }
        return path
      }
    case .appleMobile, .mac: return try environment.libraries()
    case .other: return nil
    }
  }

  /// Returns true if a file with loaded code is in a folder in which anyone can create files. The
  /// program's own folder is left to ``writableProgram()``.
  private func isUnusual(_ path: String) throws -> Bool {
    if let executable = environment.executable(),
      path == executable || path.hasPrefix(Self.folder(of: executable) + "/")
    {
      return false
    }
    if Self.unusualPlaces.contains(where: path.hasPrefix) { return true }
    for place in [path, Self.folder(of: path)] {
      if let status = try? environment.status(place), status.permissions & 0o002 != 0 {
        return true
      }
    }
    return false
  }

  static func folder(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// Returns the first five of the given paths as text, and the number of the other paths.
  static func list(_ paths: [String]) -> String {
    let rest = paths.count - 5
    return paths.prefix(5).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
