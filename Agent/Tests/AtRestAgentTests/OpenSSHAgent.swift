import Foundation
import Testing

/// OpenSSH's own agent, with which this one is compared.
final class OpenSSHAgent {
  let socket: String
  private let process: Int32

  init(_ ssh: SSHRun) throws {
    socket = ssh.path("openssh-agent")
    // Foundation waits until no process has the descriptors that it gave to the child.
    let start = """
      for f in {3..255}; do eval "exec $f>&-"; done
      ssh-agent -D -a '\(socket)' >/dev/null 2>&1 & echo $!
      """
    process = try #require(
      Int32(try ssh("bash", "-c", start).text.trimmingCharacters(in: .whitespacesAndNewlines)))
    let path = socket
    try #require(eventually { isListening(path) })
  }

  deinit { kill(process, SIGKILL) }
}
