import Foundation

// The values of `kSecAttrProtocol`, which name the protocol of an internet password.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
/// An account of an FTP client.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
/// IRC.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "
/// NNTP.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"
/// POP3.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"
/// SMTP.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
/// SOCKS.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "
/// IMAP.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"
/// LDAP.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"
/// AFP over AppleTalk.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// AFP over TCP.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "
/// Telnet.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"
/// SSH.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
/// FTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"
/// HTTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
/// A proxy for HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// A proxy for HTTPS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// A proxy for FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// SMB.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "
/// RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"
/// A proxy for RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// DAAP.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"
/// Remote Apple events.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"
/// IPP.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "
/// NNTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"
/// LDAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"
/// Telnet over TLS.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"
/// IMAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
/// IRC over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"
/// POP3 over TLS.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"
