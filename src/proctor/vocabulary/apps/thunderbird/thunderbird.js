// First-run pages, questions, notices and everything that would look for the outside world.
user_pref("app.donation.eoy.version.viewed", 999);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.enabled", false);
user_pref("datareporting.healthreport.uploadEnabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("extensions.systemAddon.update.enabled", false);
user_pref("extensions.update.enabled", false);
user_pref("mail.inappnotifications.enabled", false);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.rights.version", 1);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.spotlight.firstRunDone", true);
user_pref("mailnews.message_display.disable_remote_image", true);
user_pref("mailnews.start_page.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.manage-offline-status", false);
user_pref("offline.autoDetect", false);
user_pref("security.dialog_enable_delay", 0);
user_pref("toolkit.telemetry.enabled", false);
// Letters are plain text, the answer above what is quoted, and one key press sends them without a question.
user_pref("mail.identity.id1.compose_html", false);
user_pref("mail.identity.id1.reply_on_top", 1);
user_pref("mail.warn_on_send_accel_key", false);
user_pref("mail.compose.attachment_reminder", false);
user_pref("mail.biff.play_sound", false);
user_pref("mail.biff.show_alert", false);
// Everything at once on the server: nothing that is done may wait for a later turn.
user_pref("mail.server.server1.check_new_mail", true);
user_pref("mail.server.server1.login_at_startup", true);
user_pref("mail.server.server1.offline_download", false);
user_pref("mail.operate_on_msgs_in_collapsed_threads", false);
// The local place for letters, which Thunderbird always has.
user_pref("mail.account.account2.server", "server2");
user_pref("mail.account.lastKey", 2);
user_pref("mail.accountmanager.accounts", "account1,account2");
user_pref("mail.accountmanager.defaultaccount", "account1");
user_pref("mail.accountmanager.localfoldersserver", "server2");
user_pref("mail.server.server2.hostname", "Local Folders");
user_pref("mail.server.server2.name", "Local Folders");
user_pref("mail.server.server2.type", "none");
user_pref("mail.server.server2.userName", "nobody");
// Calendars: no question about the time zone, no reminder window in the way.
user_pref("calendar.timezone.useSystemTimezone", true);
user_pref("calendar.alarms.show", false);
user_pref("calendar.alarms.showmissed", false);
user_pref("calendar.alarms.playsound", false);
