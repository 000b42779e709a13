import Foundation

/// The file in which Flatpak describes the application in a sandbox.
enum FlatpakInfo {
  private static let name = ".flatpak-info"

  /// Returns true if a process's root has the file, and the application that it names.
  ///
  /// - Parameter root: The root of the process, or nil if it is the agent's.
  /// - Throws: ``DescriptorShortage``.
  static func find(in root: OpenDescriptor?) throws -> (exists: Bool, application: String?) {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = root.map { openat($0.number, name, flags) } ?? open("/" + name, flags)
    if file < 0, DescriptorShortage.isReason { throw DescriptorShortage() }
    let isMissing = file < 0 && errno == ENOENT
    return (!isMissing, ProcessFolder.text(file).flatMap(application(in:)))
  }

  /// Returns the application in the text: the value of `name` in the section `Application`.
  static func application(in text: String) -> String? {
    var isApplication = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") {
        isApplication = line == "[Application]"
      } else if isApplication, line.hasPrefix("name=") {
        let name = line.dropFirst("name=".count)
        return name.isEmpty ? nil : String(name)
      }
    }
    return nil
  }
}
