/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a page as bytes of chessctl, each with a zero byte after it; the Makefile makes
 * html_page.js of the scripts. Declared in html.c.
 */
	.section .rodata

	.global html_template
html_template:
	.incbin "page.html"
	.byte 0

	.global html_style
html_style:
	.incbin "page.css"
	.byte 0

	.global html_script
html_script:
	.incbin "html_page.js"
	.byte 0

	.section .note.GNU-stack, "", @progbits
