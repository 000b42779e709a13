import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation

/// Makes a cipher available to connections, as long as the registration exists.
///
/// A connection has the cipher if the URI with which it is opened contains the registration's name,
/// which is random. Connections that are open keep the cipher.
final class KeyRegistration: Sendable {
  let cipher: PageCipher
  let name = RandomBytes.data(count: 16).map { String(format: "%02x", $0) }.joined()

  init(_ cipher: PageCipher) throws {
    self.cipher = cipher
    let context = Unmanaged.passRetained(cipher)
    var methods = atrest_page_cipher(
      context: context.toOpaque(), page_size: Int32(cipher.format.pageSize),
      reserve: Int32(cipher.format.reserve), salt: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      has_salt: cipher.format.hasPlaintextHeader ? 0 : 1,
      authenticates: cipher.format.authentication == nil ? 0 : 1,
      seal: { context, page, plain, sealed in
        KeyRegistration.call(context) { cipher in
          let size = cipher.format.pageSize
          try cipher.seal(
            page, UnsafeRawBufferPointer(start: plain, count: size),
            into: UnsafeMutableRawBufferPointer(start: sealed, count: size))
        }
      },
      seal_frames: { context, frames, count in
        KeyRegistration.call(context) { cipher in
          let size = Int(count) * (Int(ATREST_FRAME_HEADER_SIZE) + cipher.format.pageSize)
          try LogFrameSealer(cipher).seal(
            UnsafeMutableRawBufferPointer(start: frames, count: size))
        }
      },
      open: { context, page, sealed, plain in
        KeyRegistration.call(context) { cipher in
          let size = cipher.format.pageSize
          try cipher.open(
            page, UnsafeRawBufferPointer(start: sealed, count: size),
            into: UnsafeMutableRawBufferPointer(start: plain, count: size))
        }
      },
      peek: { context, sealed, plain in
        KeyRegistration.call(context) { cipher in
          try cipher.peek(
            UnsafeRawBufferPointer(start: sealed, count: cipher.format.pageSize),
            into: UnsafeMutableRawBufferPointer(start: plain, count: 48))
        }
      },
      may_begin: { context in
        Unmanaged<PageCipher>.fromOpaque(context).takeUnretainedValue().isEnded ? 1 : 0
      },
      pragma: { context, name, value, answer, size in
        KeyRegistration.answer(
          context, name, value, UnsafeMutableBufferPointer(start: answer, count: Int(size)))
      },
      release: { Unmanaged<PageCipher>.fromOpaque($0).release() })
    withUnsafeMutableBytes(of: &methods.salt) { $0.copyBytes(from: cipher.salt) }
    guard atrest_database_add_key(name, &methods) == 0 else {
      context.release()
      throw AtRestError(
        .system, "The key of a database could not be registered.",
        remedy: "Check that the machine has enough memory.")
    }
  }

  deinit { atrest_database_remove_key(name) }

  private static func call(
    _ context: UnsafeMutableRawPointer, _ body: (PageCipher) throws -> Void
  ) -> Int32 {
    Unmanaged<PageCipher>.fromOpaque(context)._withUnsafeGuaranteedRef { cipher in
      do {
        try body(cipher)
        return 0
      } catch {
        return 1
      }
    }
  }

  private static func answer(
    _ context: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>,
    _ value: UnsafePointer<CChar>?, _ answer: UnsafeMutableBufferPointer<CChar>
  ) -> Int32 {
    Unmanaged<PageCipher>.fromOpaque(context)._withUnsafeGuaranteedRef { cipher in
      let found = CipherPragma(
        String(cString: name), value.map { String(cString: $0) }, cipher: cipher)
      func write(_ text: String) {
        let bytes = text.utf8CString.prefix(answer.count)
        _ = answer.update(fromContentsOf: bytes)
        answer[bytes.count - 1] = 0
      }
      switch found {
      case .unknown: return Int32(ATREST_PRAGMA_UNKNOWN)
      case .done: return Int32(ATREST_PRAGMA_DONE)
      case .row(let text):
        write(text)
        return Int32(ATREST_PRAGMA_ROW)
      case .refused(let message):
        write(message)
        return Int32(ATREST_PRAGMA_REFUSED)
      }
    }
  }

  /// Returns the URI with which SQLite opens a file under this key.
  func uri(of url: URL, vfs: String, isCopy: Bool = false) -> String {
    Self.uri(of: url, vfs: vfs) + "&\(ATREST_KEY_PARAMETER)=\(name)"
      + (isCopy ? "&\(ATREST_COPY_PARAMETER)=1" : "")
  }

  /// Returns the URI with which SQLite opens a file through a VFS.
  static func uri(of url: URL, vfs: String) -> String {
    // The bytes are encoded, so characters such as `?` and `#` stay part of the name, and the name need
    // not be UTF-8.
    let path = SystemPath.bytes(url.path).map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        String(Unicode.Scalar(byte))
      default: String(format: "%%%02X", byte)
      }
    }
    return "file://\(path.joined())?vfs=\(vfs)"
  }
}
