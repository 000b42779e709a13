#if os(Linux)
  import Foundation
  import Testing

  /// A file system in user space with copies of Python, `python0` to `python7`, which stops to answer when it is
  /// told to. It ends with this object. Only root can mount it.
  final class HangingFileSystem {
    static let isPossible =
      geteuid() == 0 && AgentRun.isInstalled("python3")
      && FileManager.default.fileExists(atPath: "/dev/fuse")

    static let programs = 8
    let place: String
    private let process: Int32
    private let mark: String

    init(_ run: AgentRun) throws {
      place = run.folder.appendingPathComponent("hanging").path
      mark = run.folder.appendingPathComponent("hang").path
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let script = run.folder.appendingPathComponent("fuse.py").path
      try Data(Self.script.utf8).write(to: URL(fileURLWithPath: script))
      process = try run.start("/usr/bin/python3 '\(script)' '\(place)' '\(mark)'")
      eventually { [place] in FileManager.default.fileExists(atPath: place + "/python0") }
      try #require(FileManager.default.fileExists(atPath: place + "/python0"), "not mounted")
    }

    deinit { end() }

    /// Answers nothing from now on.
    func hang() throws { try Data().write(to: URL(fileURLWithPath: mark)) }

    /// Gives no contents from now on, but the properties of files.
    func hangReading() throws { try Data().write(to: URL(fileURLWithPath: mark + "-reading")) }

    /// Ends the file system, which fails all that wait for it.
    func end() {
      kill(process, SIGKILL)
      umount2(place, Int32(MNT_DETACH))
    }

    private static let script = #"""
      import ctypes, os, stat, struct, sys
      place, mark = sys.argv[1:]
      data = open(os.path.realpath("/usr/bin/python3"), "rb").read()
      nodes = {b"python%d" % number: 10 + number for number in range(8)}
      fd = os.open("/dev/fuse", os.O_RDWR)
      options = b"fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other" % fd
      if ctypes.CDLL(None).mount(b"test", place.encode(), b"fuse", 0, options) != 0: sys.exit("mount")
      def attributes(node):
          mode, size = (stat.S_IFDIR | 0o755, 0) if node == 1 else (stat.S_IFREG | 0o755, len(data))
          return struct.pack("<6Q10I", node, size, size // 512, 1, 1, 1, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)
      def answer(unique, body=b"", error=0):
          os.write(fd, struct.pack("<IiQ", 16 + len(body), -error, unique) + body)
      while True:
          request = os.read(fd, 1 << 20)
          size, code, unique, node = struct.unpack("<IIQQ", request[:24])
          body = request[40:]
          if code in (2, 36, 42) or os.path.exists(mark): continue
          if code == 26:
              answer(unique, struct.pack("<4I2H2I2H8I", 7, 23, 1 << 17, 0, 8, 8, 1 << 17, 1, 0, 0, *[0] * 8))
          elif code == 1:
              found = nodes.get(body.split(b"\0")[0])
              if found: answer(unique, struct.pack("<4Q2I", found, 0, 0, 0, 0, 0) + attributes(found))
              else: answer(unique, error=2)
          elif code == 3: answer(unique, struct.pack("<Q2I", 0, 0, 0) + attributes(node))
          elif code in (14, 27) and not (code == 14 and os.path.exists(mark + "-reading")): answer(unique, struct.pack("<QII", 1, 2, 0))
          elif code in (14, 15) and os.path.exists(mark + "-reading"): continue
          elif code == 15:
              offset, count = struct.unpack("<QI", body[8:20])
              answer(unique, data[offset:offset + count])
          elif code in (18, 25, 29): answer(unique)
          else: answer(unique, error=38)
      """#
  }
#endif
