import Foundation

/// Unix sockets, as far as the tests need them.
enum UnixSocket {
  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      precondition(path.utf8.count < bytes.count, "The path of a socket is too long.")
      bytes.copyBytes(from: path.utf8)
    }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func make() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  /// Returns a connected socket, or -1.
  static func connect(to path: String) -> Int32 {
    let descriptor = make()
    let isConnected = withAddress(path) { Foundation.connect(descriptor, $0, $1) } == 0
    guard !isConnected else { return descriptor }
    close(descriptor)
    return -1
  }

  static func listen(at path: String) -> Int32 {
    let descriptor = make()
    let isBound = withAddress(path) { bind(descriptor, $0, $1) } == 0
    precondition(isBound && Foundation.listen(descriptor, 8) == 0, "Cannot listen at \(path).")
    return descriptor
  }

  static func isListening(_ path: String) -> Bool {
    let descriptor = connect(to: path)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// Reads a message of the TPM: a tag, its size, and the rest. Nil at the end.
  static func readMessage(_ descriptor: Int32) -> Data? {
    guard let head = read(descriptor, count: 10) else { return nil }
    let size = head.dropFirst(2).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard size > 10 else { return head }
    guard let rest = read(descriptor, count: size - 10) else { return nil }
    return head + rest
  }

  static func read(_ descriptor: Int32, count: Int) -> Data? {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while data.count < count {
      let got = Foundation.read(descriptor, &buffer, min(buffer.count, count - data.count))
      guard got > 0 else { return nil }
      data.append(contentsOf: buffer[..<got])
    }
    return data
  }

  static func write(_ data: Data, to descriptor: Int32) {
    data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let sent = send(
          descriptor, bytes.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
        guard sent > 0 else { return }
        offset += sent
      }
    }
  }
}
