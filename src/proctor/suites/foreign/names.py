"""Every setup step, getter, metric and handler that other formats name, and what each needs."""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    """Return the words of a text, such as a list of names."""
    return frozenset(text.split())


SETUP_STEPS: Mapping[str, tuple[str, ...]] = {
    "launch": ("command",),
    "execute": ("command",),
    "command": ("command",),
    "execute_with_verification": ("command",),
    "download": ("files",),
    "upload_file": ("files",),
    "sleep": ("seconds",),
    "open": ("path",),
    "activate_window": ("window_name",),
    "close_window": ("window_name",),
    "change_wallpaper": ("path",),
    "chrome_open_tabs": ("urls_to_open",),
    "chrome_close_tabs": ("urls_to_close",),
    "chrome_activate_tab": ("tab_url",),
    "chrome_execute_script": ("tab_url", "script"),
    "chrome_check_inited": ("tab_url", "script"),
    "chrome_click_element": ("element_xpath",),
    "update_browse_history": ("history",),
    "split_screen": ("window_name1", "window_name2"),
    "monitor_activated_times": ("window_name",),
    "rocket_send_messages": ("from_name", "to_name", "message"),
    "googledrive": ("settings_file", "operation", "args"),
    "login": ("settings_file", "platform"),
    "proxy": (),
    "tidy_desktop": (),
    "act": (),
    "replay": (),
}
"""OSWorld's and OS-MAP's setup steps, each with the parameters that it cannot do without."""

GETTERS: Mapping[str, tuple[str, ...]] = {
    "rule": ("rules",),
    "rule_relativeTime": ("rules",),
    "rule_relativeTime_formatted": ("rules",),
    "time_diff_range": ("diff_range_in_minutes",),
    "vm_file": ("path",),
    "cloud_file": ("path",),
    "cache_file": ("path",),
    "content_from_vm_file": ("path",),
    "file_unzipped": ("path",),
    "vm_command_line": ("command",),
    "vm_command_error": ("command",),
    "vm_terminal_output": (),
    "vm_screen_size": (),
    "vm_window_size": ("app_class_name",),
    "vm_wallpaper": (),
    "vm_dir": ("path",),
    "vm_dir_file_hashes": ("path",),
    "list_directory": ("path",),
    "accessibility_tree": (),
    "element_from_accessTree": ("selector",),
    "active_url_from_accessTree": (),
    "active_tab_info": (),
    "active_tab_html_parse": ("category",),
    "target_tab_html_parse": ("category",),
    "active_tab_url_parse": ("parse_keys",),
    "active_tab_noe_class": ("class_name",),
    "open_tabs_info": (),
    "page_info": ("url",),
    "url_dashPart": ("partIndex",),
    "url_path_parse": (),
    "pdf_from_url": ("path",),
    "info_from_website": ("url", "infos"),
    "gotoRecreationPage_and_get_html_content": ("selector",),
    "macys_product_url_parse": (),
    "bookmarks": (),
    "history": (),
    "cookie_data": (),
    "shortcuts_on_desktop": (),
    "default_search_engine": (),
    "enable_do_not_track": (),
    "enable_enhanced_safety_browsing": (),
    "enable_safe_browsing": (),
    "enabled_experiments": (),
    "new_startup_page": (),
    "profile_name": (),
    "chrome_language": (),
    "chrome_font_size": (),
    "chrome_color_scheme": (),
    "chrome_appearance_mode_ui": (),
    "data_delete_automacally": (),
    "find_unpacked_extension_path": (),
    "find_installed_extension_name": (),
    "default_video_player": (),
    "vlc_config": (),
    "vlc_playing_info": (),
    "gimp_config_file": ("file_name",),
    "vscode_config": ("path",),
    "audio_in_slide": ("ppt_file_path", "slide_index"),
    "image_in_slide": ("ppt_file_path", "slide_index"),
    "background_image_in_slide": ("ppt_file_path", "slide_index"),
    "vm_first_mail_file_parsed": (),
    "mail_attachments": (),
    "calendar_events": (),
    "step_actions": (),
    "step_actions_and_screenshot_me": (),
    "replay": (),
    "googledrive_file": ("settings_file",),
    "conference_city_in_order": (),
    "number_of_search_results": (),
    "rocketchat_message_file_in_mongodb": ("users",),
    "rocketchat_message_content_in_mongodb": ("users",),
    "rocketchat_group_members_with_emails": ("room",),
}
"""OSWorld's and OS-MAP's getters, each with the parameters that it cannot do without."""

METRICS = words(
    """
    infeasible exact_match fuzzy_match fuzzy_place_math literal_match match_in_list is_in_list is_not_empty
    check_include_exclude check_direct_json_object check_json check_json_contains check_csv check_list
    check_one_of_equal check_one_of_include check_line_number check_step_actions check_accessibility_tree
    check_2048_has_16 check_email_match_href is_in_vm_clickboard compare_time_in_speedtest_results
    compare_terminal_and_txt compare_python_pure_text compare_files_exactly compare_folders_exactly
    compare_text_file diff_text_file file_contains run_sqlite3 is_included_all_json_objects
    is_gold_text_included_in_pdf compare_answer compare_mail_content compare_table compare_csv
    compare_conference_city_in_order compare_pptx_files check_presenter_console_disable check_transition
    check_auto_saving_time check_image_stretch_and_center check_page_number_colors check_slide_numbers_color
    check_slide_orientation_Portrait check_left_panel check_strikethrough
    evaluate_presentation_fill_to_rgb_distance compare_docx_files compare_docx_exactly
    compare_docx_files_and_ignore_new_lines compare_docx_tables compare_docx_images compare_docx_lines
    compare_init_lines compare_line_spacing compare_subscript_contains compare_highlighted_text
    compare_insert_equation compare_contains_image compare_font_names compare_image_text compare_references
    compare_epub compare_unique_train_records get_unique_train_ids check_highlighted_words
    check_italic_font_size_14 check_tabstops check_no_duplicates check_file_exists has_page_numbers_in_footers
    find_default_font contains_page_break is_first_line_centered evaluate_alignment
    evaluate_colored_words_in_tables evaluate_conversion evaluate_spacing evaluate_strike_through_last_paragraph
    compare_pdfs compare_pdf_images check_pdf_pages check_pdf_requirements compare_images compare_image_list
    compare_images_in_folder compare_triangle_positions check_structure_sim check_structure_sim_resized
    check_structure_sim_with_threshold check_config_status check_image_size check_image_file_size
    check_image_mirror check_green_background check_file_exists_and_structure_sim check_triangle_position
    check_textbox_on_leftside check_sharper check_palette_and_structure_sim
    check_brightness_decrease_and_structure_sim check_contrast_increase_and_structure_sim
    check_saturation_increase_and_structure_sim decrease_brightness increase_saturation compare_audios
    compare_videos is_vlc_playing is_vlc_fullscreen is_vlc_recordings_folder check_qt_bgcone check_qt_max_volume
    check_qt_minimal_view check_qt_slider_colours check_global_key_play_pause
    check_one_instance_when_started_from_file check_mp3_meta check_play_and_exit compare_config
    compare_result_files compare_zip_files check_json_settings check_json_keybindings
    check_html_background_image check_python_file_by_test_suite check_python_file_by_gold_file
    is_extension_installed check_thunderbird_prefs check_thunderbird_filter check_thunderbird_folder
    is_expected_active_tab is_expected_active_tab_approximate is_expected_url_pattern_match is_expected_tabs
    include_expected_tabs include_expected_url is_expected_bookmarks is_expected_search_query
    is_expected_installed_extensions is_cookie_deleted is_shortcut_on_desktop is_json_empty
    is_added_to_steam_cart check_history_deleted check_enabled_experiments check_font_size compare_htmls
    compare_archive webpage_contains check_gnome_favorite_apps check_moved_jpgs check_text_enlarged is_utc_0
    check_libre_locale
    """
)
"""OSWorld's and OS-MAP's metrics."""

HANDLERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "filesystem": {
        "exists": ("file_to_check",),
        "type_check": ("file_to_check",),
        "permissions_check": ("file_to_check",),
        "content_check": ("file_to_check",),
        "metadata_check": ("file_to_check",),
        "verify_ini": ("target_path", "ref_path"),
        "match_file": ("file_to_check",),
        "check_json_settings": ("path", "settings"),
        "create_file": ("path",),
        "mkdir": ("path",),
        "rm": ("path",),
        "rmdir": ("path",),
        "rename": ("old_name", "new_name"),
        "copy": ("src", "dest"),
        "move": ("src", "dest"),
        "chmod": ("path", "mode"),
    },
    "process": {"match_process": ("name",), "create_process": ("cmd",), "pkill_by_name": ("name",)},
    "system": {"exec": ("command",), "sleep": ("seconds",), "diff": ("file1", "file2")},
    "docs": {
        "compare_line_spacing": ("docx_file1", "docx_file2"),
        "check_tabstops": ("docx_ref", "docx_file"),
        "compare_subscript_contains": ("docx_file1", "docx_file2"),
        "has_page_numbers_in_footers": ("docx_file",),
        "compare_font_names": ("docx_file", "rules"),
        "is_first_line_centered": ("docx_file",),
        "compare_insert_equation": ("docx_file1", "docx_file2"),
        "compare_docx_tables": ("docx_file1", "docx_file2"),
        "check_highlighted_words": ("docx_ref", "docx_file"),
        "compare_contains_image": ("docx_file1", "docx_file2"),
        "compare_docx_lines": ("file1", "file2"),
        "evaluate_strike_through_last_paragraph": ("docx_ref", "docx_file"),
        "evaluate_colored_words_in_tables": ("docx_ref", "docx_file"),
        "compare_docx_files": ("docx_file1", "docx_file2"),
        "compare_docx_images": ("docx_file1", "docx_file2"),
        "compare_references": ("docx_file1", "docx_file2"),
    },
    "sheets": {"compare_table": ("expected", "result", "options")},
    "slides": {"compare_pptx_files": ("expected", "result")},
    "gimp": {
        "check_brightness_decrease_and_structure_sim": ("src_path", "tgt_path"),
        "check_saturation_increase_and_structure_sim": ("src_path", "tgt_path"),
        "check_contrast_increase_and_structure_sim": ("src_path", "tgt_path"),
        "check_file_exists_and_structure_sim": ("src_path", "tgt_path"),
        "check_triangle_position": ("tgt_path",),
        "check_structure_sim": ("src_path", "tgt_path"),
        "check_structure_sim_resized": ("src_path", "tgt_path"),
        "check_image_size": ("src_path", "rule"),
        "check_image_file_size": ("src_path", "rule"),
        "check_palette_and_structure_sim": ("src_path", "tgt_path"),
        "check_textbox_on_leftside": ("src_path",),
        "check_image_mirror": ("src_path", "tgt_path"),
        "check_green_background": ("src_path", "tgt_path"),
    },
    "vscode": {
        "extension_installed": ("extension_id",),
        "is_extension_disabled": (),
        "install_extension": ("extension_id",),
        "uninstall_extension": ("extension_id",),
        "uninstall_all_extensions": (),
    },
    "qa": {"string_match": ("answer",)},
    "human": {"human": ("prompt",)},
    **{
        service: dict.fromkeys(words(functions), ())
        for service, functions in {
            "google_calendar": "check_event_exists clear_calendar create_event delete_event",
            "gmail": "check_draft_exists check_sent_message_exists is_email_marked_important check_label_exists "
            "email_has_label is_email_in_trash create_label delete_label create_draft delete_draft add_email_to_trash "
            "delete_sent_message trash_message send_message mark_message_important",
            "google_docs": "text_format_match hyperlink_match check_doc_exists create_document delete_document",
            "google_drive": "check_file_exists check_folder_exists create_folder upload_file delete_file delete_folder",
            "google_forms": "check_form_exists create_form delete_form",
            "google_sheets": "check_spreadsheet_exists create_spreadsheet delete_spreadsheet",
            "google_slides": "check_presentation_exists create_presentation delete_presentation",
            "telegram": "message_match send_messages delete_recent_messages send_document",
            "email": "exists match_file rmdir rename",
        }.items()
    },
}
"""AgentStudio's handlers by their evaluators, each with the parameters that it cannot do without."""

ACCOUNTS: Mapping[str, str] = {
    **dict.fromkeys(
        words(
            "google_calendar gmail google_docs google_drive google_forms google_sheets google_slides "
            "googledrive googledrive_file login"
        ),
        "a Google account",
    ),
    "telegram": "a Telegram account",
}
"""Evaluators, setup steps and getters that need an account elsewhere, and which."""

SERVERS: Mapping[str, str] = {
    "calendar_events": "Evolution's calendar",
    **dict.fromkeys(
        words(
            "rocket_send_messages rocketchat_message_file_in_mongodb rocketchat_message_content_in_mongodb "
            "rocketchat_group_members_with_emails"
        ),
        "Rocket.Chat",
    ),
}
"""Setup steps and getters that need a server of their own, and which."""

LIVE_GETTERS = words("page_info info_from_website gotoRecreationPage_and_get_html_content macys_product_url_parse")
"""Getters that ask the internet."""
