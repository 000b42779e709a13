import Foundation

/// Calls for Unix sockets, which pass on the result and `errno` of the system's functions.
@_spi(Tools) public enum UnixSocket {
  /// Makes a stream socket that programs started by this one do not inherit.
  ///
  /// - Returns: The descriptor, or -1.
  public static func make() -> Int32 {
    #if canImport(Darwin)
      socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
  }

  /// Connects a socket to the one at a path.
  ///
  /// - Returns: 0 or -1. `errno` is `ENAMETOOLONG` for a path that is too long.
  public static func connect(_ file: Int32, to path: String) -> Int32 {
    with(path) { Foundation.connect(file, $0, $1) }
  }

  /// Binds a socket to a path.
  ///
  /// - Returns: 0 or -1. `errno` is `ENAMETOOLONG` for a path that is too long.
  public static func bind(_ file: Int32, to path: String) -> Int32 {
    with(path) { Foundation.bind(file, $0, $1) }
  }

  /// Returns true if somebody listens at a path, or if that cannot be tried.
  public static func isLive(_ path: String) -> Bool {
    let file = make()
    guard file >= 0 else { return true }
    defer { close(file) }
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
    return connect(file, to: path) == 0 || ![ECONNREFUSED, ENOENT].contains(errno)
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return -1
    }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
