import AtRestAuditModel
import AtRestFormats
import Foundation

/// The pins of a package manager: `Podfile.lock`, `Package.resolved` or `Cartfile.resolved`.
package struct LockFile: Sendable {
  package let path: String
  package let dependencies: [Dependency]
  package let skipped: [Skip]

  package init(path: String, dependencies: [Dependency], skipped: [Skip] = []) {
    self.path = path
    self.dependencies = dependencies
    self.skipped = skipped
  }

  /// Reads a lock file, whose name determines its format.
  package static func read(_ data: Data, path: String) -> LockFile {
    switch ResourcePath.name(of: path) {
    case "Podfile.lock": PodfileLockReader(path: path, data: data).read()
    case "Cartfile.resolved": readCarthage(data, path: path)
    default: readPackages(data, path: path)
    }
  }

  // MARK: Swift packages

  private static func readPackages(_ data: Data, path: String) -> LockFile {
    let list = PropertyList.read(data, path: path)
    var skipped = list.skipped
    // Version 1 of the format has its pins one level deeper than later versions.
    guard let pins = (list.root?["pins"] ?? list.root?["object"]?["pins"])?.array else {
      skipped.append(Skip(path: path, line: 1, reason: "The file has no list of pins."))
      return LockFile(path: path, dependencies: [], skipped: skipped)
    }
    var dependencies: [Dependency] = []
    for pin in pins {
      let source = (pin["location"] ?? pin["repositoryURL"])?.string
      guard let name = (pin["identity"] ?? pin["package"])?.string ?? source else {
        skipped.append(
          Skip(path: path, line: pin.position.line, reason: "A pin names no package."))
        continue
      }
      let entry = pin["state"]?.entry("version") ?? pin.entry("identity") ?? pin.entry("package")
      dependencies.append(
        Dependency(
          name: name, version: pin["state"]?["version"]?.string,
          revision: pin["state"]?["revision"]?.string, source: source, ecosystem: .swiftURL,
          location: location(path, from: pin.position, to: entry?.position ?? pin.position)))
    }
    return LockFile(path: path, dependencies: dependencies, skipped: skipped)
  }

  /// Returns the location of a pin, from its brace to the line of its version.
  private static func location(_ path: String, from start: Position, to end: Position) -> Location {
    Location(
      path: path, start: start,
      end: max(end, Position(line: start.line, column: start.column + 1)))
  }

  // MARK: Carthage

  private static func readCarthage(_ data: Data, path: String) -> LockFile {
    var dependencies: [Dependency] = []
    var skipped: [Skip] = []
    let text = String(decoding: TextBytes.utf8(of: data), as: UTF8.self)
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).map(\.trimmed)
      guard parts.count >= 5, ["github", "git", "binary"].contains(parts[0]) else {
        if skipped.count < 8 {
          skipped.append(Skip(path: path, line: number, reason: "The line does not pin a library."))
        }
        continue
      }
      let origin = String(parts[1])
      let source =
        parts[0] == "github" && !origin.contains("://") ? "https://github.com/" + origin : origin
      let isRevision = parts[3].utf8.count == 40 && parts[3].allSatisfy(\.isHexDigit)
      dependencies.append(
        Dependency(
          name: ResourcePath.name(of: origin), version: isRevision ? nil : String(parts[3]),
          revision: isRevision ? String(parts[3]) : nil, source: source, ecosystem: .carthage,
          location: Location(
            path: path, start: Position(line: number, column: 1),
            end: Position(line: number, column: line.utf8.count + 1))))
    }
    return LockFile(path: path, dependencies: dependencies, skipped: skipped)
  }
}
