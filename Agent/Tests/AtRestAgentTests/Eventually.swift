import Foundation

/// Waits until a condition holds, and returns false if it does not within two minutes.
@discardableResult
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(120)
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(5_000)
  }
  return true
}

/// Returns true if a program listens at a path. A socket is a file before that.
func isListening(_ path: String) -> Bool {
  let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(file) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  } == 0
}
