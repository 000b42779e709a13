import CAtRestPeer
import Foundation

/// The folder of a process in `/proc`. The caller checks after reading that the process still runs.
///
/// Nothing here waits for a file system.
final class ProcessFolder {
  let path: String
  /// True if something could not be read for want of descriptors.
  private(set) var lacksDescriptors = false

  init(_ process: Int32) { path = "/proc/\(process)" }

  /// The program, or nil if it is no regular file, or cannot be seen.
  var program: SeenProcess.Program? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = readlink(path + "/exe", &target, target.count)
    guard count > 0, count < target.count,
      let name = String(
        validating: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self),
      let file = Self.file(path + "/exe"), file.is_regular != 0
    else { return nil }
    return SeenProcess.Program(path: name, file: .init(file))
  }

  /// The time at which the process started, in ticks since the start of the system.
  var start: UInt64? { contents("stat").flatMap { TerminalSession.fields($0)?.start } }

  /// Returns the number of the process of a descriptor. nil if it has ended, or if this is the descriptor of another
  /// thing.
  ///
  /// - Throws: ``DescriptorShortage``.
  static func process(of descriptor: Int32) throws -> Int32? {
    let folder = ProcessFolder(getpid())
    let contents = folder.contents("fdinfo/\(descriptor)")
    if folder.lacksDescriptors { throw DescriptorShortage() }
    guard let text = contents,
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pid:") }),
      let number = line.split(whereSeparator: \.isWhitespace).last.flatMap({ Int32($0) })
    else { return nil }
    return number > 0 ? number : nil
  }

  /// Returns true if a link of the process leads to a file of the agent's. False if it cannot be read.
  func isAgents(_ name: String, _ own: atrest_file?) -> Bool {
    guard let own, let other = Self.file(path + "/" + name) else { return false }
    return other.device == own.device && other.number == own.number
  }

  /// Returns the properties of a file, or nil if they cannot be read.
  static func file(_ path: String) -> atrest_file? {
    var file = atrest_file()
    return atrest_look_at_file(path, &file) == 0 ? file : nil
  }

  /// Returns the text of a file that the kernel makes.
  func contents(_ name: String) -> String? {
    let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0, DescriptorShortage.isReason { lacksDescriptors = true }
    return Self.text(file)
  }

  /// Opens a folder of the process, only to follow paths from it.
  func place(_ name: String) -> OpenDescriptor? {
    let place = OpenDescriptor(place: path + "/" + name)
    if place == nil, DescriptorShortage.isReason { lacksDescriptors = true }
    return place
  }

  /// Returns the text of an open file, which this closes, or nil if it is no text.
  static func text(_ file: Int32) -> String? {
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }
}
