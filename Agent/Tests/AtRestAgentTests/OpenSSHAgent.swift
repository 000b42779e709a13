import Foundation
import Testing

/// OpenSSH's own agent, with which this one is compared.
final class OpenSSHAgent {
  let socket: String
  private let process: Int32

  init(_ ssh: SSHRun) throws {
    socket = ssh.path("openssh-agent")
    process = try ssh.run.start("ssh-agent -D -a '\(socket)'")
    let path = socket
    try #require(eventually { isListening(path) })
  }

  deinit { kill(process, SIGKILL) }
}
